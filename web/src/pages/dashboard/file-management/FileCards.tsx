import { ArrowDownWideNarrow, ArrowUpNarrowWide } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { formatCount, formatSize } from '../../../lib/format.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { FileActions } from './FileActions.tsx';
import { FileCheckbox } from './FileCheckbox.tsx';
import { FileName } from './FileName.tsx';
import type { DrawnRowProps, FactsProps, FilesProps, ListProps } from './list-props.ts';
import { allState } from './selection.ts';
import { pickable, type Sorting } from './sorting.ts';
import { useDrawnRows } from '../../../ui/use-drawn-rows.ts';

const cardHeight = 107;

/** The list on a phone, with the functions of the table's head above it. */
export function FileCards(props: ListProps) {
  const { list, names, selected, onSelect, onDeleted, onSelectAll, address, onSort, rule, previews, timeZone } = props;
  const { place, measure, rows, rest } = useDrawnRows(names, cardHeight);
  return (
    // A focused card is not scrolled below the selection bar.
    <div className="[&_:is(a,button,input)]:scroll-mb-40 [&_label]:size-11">
      <div className="flex items-center gap-2 border-b border-line p-1">
        <Checkbox
          label="Select all files"
          disabled={names.length === 0}
          checked={allState(selected, names)}
          onChange={onSelectAll}
        />
        <span aria-hidden className="text-s text-muted">
          All
        </span>
        <SortPicker sorting={address} onSort={onSort} />
      </div>
      {!list && <SkeletonCards />}
      {list && (
        <ul aria-label="Files" ref={place} style={{ paddingBottom: rest }}>
          {rows.map(({ index, gap }) => {
            const file = list.files[index];
            return (
              file && (
                <FileCard
                  key={file.name}
                  ref={measure}
                  index={index}
                  of={names.length}
                  gap={gap}
                  file={file}
                  rule={rule}
                  chosen={selected.has(file.name)}
                  onSelect={onSelect}
                  onDeleted={onDeleted}
                  previews={previews}
                  timeZone={timeZone}
                />
              )
            );
          })}
        </ul>
      )}
    </div>
  );
}

function SortPicker({ sorting, onSort }: Pick<FilesProps, 'onSort'> & { readonly sorting: Sorting }) {
  const pick = (title: string) => {
    const picked = pickable.find((column) => column.title === title);
    if (picked) onSort(picked.column);
  };
  const descending = sorting.direction === 'desc';
  return (
    <div className="ml-auto flex items-center">
      <select
        aria-label="Sort by"
        value={pickable.find(({ column }) => column === sorting.column)?.title ?? ''}
        onChange={(event) => pick(event.currentTarget.value)}
        className={pickerLook}
      >
        {pickable.map(({ title }) => (
          <option key={title}>{title}</option>
        ))}
      </select>
      <IconButton
        label={descending ? 'Descending, switch to ascending' : 'Ascending, switch to descending'}
        onClick={() => onSort(sorting.column)}
      >
        {descending ? <ArrowDownWideNarrow /> : <ArrowUpNarrowWide />}
      </IconButton>
    </div>
  );
}

const pickerLook = 'h-11 rounded-m bg-surface px-2 text-s';

function SkeletonCards() {
  return Array.from({ length: 5 }, (_, card) => (
    <div key={card} className="grid gap-2 border-b border-line p-4 pl-14 last:border-0">
      <Skeleton className="h-3.5 w-36" />
      <Skeleton className="h-3 w-52" />
      <Skeleton className="h-3 w-44" />
    </div>
  ));
}

interface FileCardProps extends DrawnRowProps {
  readonly of: number;
  readonly gap: number;
}

const FileCard = memo(function FileCard({ index, of, gap, chosen, onSelect, ref, ...facts }: FileCardProps) {
  return (
    <li
      ref={ref}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={of}
      data-chosen={chosen || undefined}
      style={gap === 0 ? undefined : { marginTop: gap }}
      className={cardLook}
    >
      <FileCheckbox file={facts.file} chosen={chosen} onSelect={onSelect} />
      <CardFacts {...facts} />
    </li>
  );
});

const cardLook =
  'grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-1 border-b border-line p-1 last:border-0 data-chosen:bg-sea-wash';

const CardFacts = memo(function CardFacts({ file, rule, previews, timeZone, onDeleted }: FactsProps) {
  return (
    <>
      <FileName file={file} rule={rule} previews={previews} />
      <div className="flex">
        <FileActions file={file} rule={rule} onDeleted={onDeleted} />
      </div>
      <FileFactsList file={file} timeZone={timeZone} />
    </>
  );
});

/** The table's columns, on a card. */
function FileFactsList({ file, timeZone }: Pick<FactsProps, 'file' | 'timeZone'>) {
  return (
    <div className="col-[2/-1] grid gap-y-0.5 pr-3 pb-2 text-s whitespace-nowrap text-muted">
      <dl className="flex gap-x-4">
        {file.extension !== '' && (
          <Fact hidden name="Type">
            <span className="block max-w-24 truncate">{file.extension}</span>
          </Fact>
        )}
        <Fact hidden name="Size">
          <span className="figures text-ink">{formatSize(file.size)}</span>
        </Fact>
        <div className="flex flex-row-reverse gap-1.5">
          <dt>{file.hits === 1 ? 'hit' : 'hits'}</dt>
          <dd className="figures">{formatCount(file.hits)}</dd>
        </div>
      </dl>
      <dl className="flex flex-wrap gap-x-4">
        <Fact name="Accessed">
          <RelativeTime at={file.last_accessed} timeZone={timeZone} />
        </Fact>
        <Fact name="Uploaded">
          <RelativeTime at={file.time_added} timeZone={timeZone} />
        </Fact>
      </dl>
    </div>
  );
}

function Fact({
  name,
  hidden,
  children,
}: {
  readonly name: string;
  readonly hidden?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex gap-1.5">
      <dt className={hidden ? 'sr-only' : undefined}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
