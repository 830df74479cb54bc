import type { SortDirection } from '@holdfast/contract/src/limits.ts';
import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Fragment, memo } from 'react';
import { formatCount, formatSize } from '../../../lib/format.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { FileActions } from './FileActions.tsx';
import { FileCheckbox } from './FileCheckbox.tsx';
import { FileName } from './FileName.tsx';
import { moveByArrow } from './keyboard-shortcuts.ts';
import type { DrawnRowProps, FactsProps, ListProps } from './list-props.ts';
import { allState } from './selection.ts';
import { ariaSort, columns } from './sorting.ts';
import { useDrawnRows } from '../../../ui/use-drawn-rows.ts';

/** Height of every row: `h-15`. */
const rowHeight = 60;

export function FileTable(props: ListProps) {
  const { list, names, selected, onSelect, onDeleted, rule, previews, timeZone } = props;
  const { place, rows, rest } = useDrawnRows(names, rowHeight);
  return (
    // Within a box that scrolls sideways the head could not stay in view.
    <div className="max-[1099.98px]:overflow-x-auto">
      {/* The columns have fixed widths, so that they do not move when other rows come into view. */}
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        aria-multiselectable
        aria-rowcount={names.length + 1}
        className="w-full min-w-180 table-fixed border-separate border-spacing-0"
      >
        <FileTableHead {...props} />
        {/* It handles events that bubble up from the controls of its rows. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <tbody ref={place} onKeyDown={moveByArrow} className={body}>
          {!list && <SkeletonRows />}
          {rows.map(({ index, gap }) => {
            const file = list?.files[index];
            return (
              file && (
                <Fragment key={file.name}>
                  <Gap height={gap} />
                  <FileTableRow
                    index={index}
                    file={file}
                    rule={rule}
                    chosen={selected.has(file.name)}
                    onSelect={onSelect}
                    onDeleted={onDeleted}
                    previews={previews}
                    timeZone={timeZone}
                  />
                </Fragment>
              )
            );
          })}
          <Gap height={rest} />
        </tbody>
      </table>
    </div>
  );
}

/** A focused row is not scrolled below the head or the selection bar. */
const body =
  '[&>tr:not(:last-child)>td]:border-b [&>tr:not(:last-child)>td]:border-line [&_:is(a,button,input)]:scroll-mt-14 [&_:is(a,button,input)]:scroll-mb-24';

type FileTableHeadProps = Pick<ListProps, 'names' | 'selected' | 'onSelectAll' | 'address' | 'onSort'>;

function FileTableHead({ names, selected, onSelectAll, address, onSort }: FileTableHeadProps) {
  return (
    <thead>
      <tr className="h-10 text-left text-s whitespace-nowrap text-muted *:sticky *:top-16 *:z-10 *:border-b *:border-line *:bg-surface">
        <th scope="col" className="w-12 pl-3">
          <Checkbox
            label="Select all files"
            disabled={names.length === 0}
            checked={allState(selected, names)}
            onChange={onSelectAll}
          />
        </th>
        {columns.map(({ title, column, figures, afterFigures, width }) => (
          <th
            key={column}
            scope="col"
            aria-sort={ariaSort(address, column)}
            className={clsx('px-2 font-medium', figures && 'text-right', afterFigures && 'pl-6', width)}
          >
            <SortButton
              title={title}
              direction={address.column === column ? address.direction : undefined}
              atRight={figures}
              onClick={() => onSort(column)}
            />
          </th>
        ))}
        <th scope="col" className="w-31 pr-3 text-right font-medium touch:w-37">
          Actions
        </th>
      </tr>
    </thead>
  );
}

interface SortButtonProps {
  readonly title: string;
  readonly direction: SortDirection | undefined;
  readonly atRight?: boolean | undefined;
  readonly onClick: () => void;
}

function SortButton({ title, direction, atRight, onClick }: SortButtonProps) {
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={onClick}
      data-active={direction}
      className={clsx(sortLook, atRight && 'flex-row-reverse')}
    >
      {title}
      <Arrow aria-hidden className="size-3.5 opacity-0 group-hover:opacity-50 group-data-active:opacity-100" />
    </button>
  );
}

const sortLook =
  'group inline-flex h-10 items-center gap-1 rounded-s -outline-offset-2 hover:text-ink data-active:text-ink';

/** Placeholders with the height of the rows that replace them. */
function SkeletonRows() {
  return Array.from({ length: 6 }, (_, row) => (
    <tr key={row} className="h-15">
      <td className="pl-3">
        <Skeleton className="ml-1 size-4" />
      </td>
      <td className="px-2">
        <Skeleton className="mb-2 h-3.5 w-36" />
        <Skeleton className="h-3 w-52" />
      </td>
      {skeletonCells.map(({ title, width }) => (
        <td key={title} className="px-2">
          <Skeleton className={`h-3.5 ${width}`} />
        </td>
      ))}
    </tr>
  ));
}

const skeletonCells = [
  { title: 'Type', width: 'w-8' },
  { title: 'Size', width: 'w-16 ml-auto' },
  { title: 'Hits', width: 'w-8 ml-auto' },
  { title: 'Last Accessed', width: 'w-20 ml-4' },
  { title: 'Upload Time', width: 'w-20' },
  { title: 'Actions', width: 'w-14 ml-auto mr-3' },
];

/** Fills the space of rows that are not rendered. */
function Gap({ height }: { readonly height: number }) {
  if (height === 0) return null;
  return <tr aria-hidden style={{ height }} />;
}

/** Selecting a file does not re-render other rows, and re-renders only the checkbox of its own. */
const FileTableRow = memo(function FileTableRow({ index, chosen, onSelect, ...facts }: DrawnRowProps) {
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={chosen}
      data-chosen={chosen || undefined}
      className="h-15 hover:bg-paper data-chosen:bg-sea-wash"
    >
      <td className="pl-3">
        <FileCheckbox file={facts.file} chosen={chosen} onSelect={onSelect} />
      </td>
      <FactCells {...facts} tabIndex={-1} />
    </tr>
  );
});

const FactCells = memo(function FactCells({ file, rule, previews, timeZone, onDeleted, ...stop }: FactsProps) {
  return (
    <>
      <td className="px-2">
        <FileName file={file} rule={rule} previews={previews} {...stop} />
      </td>
      <td className="truncate px-2 text-s text-muted">{shownName(file.extension)}</td>
      <td className="px-2 text-right figures text-s whitespace-nowrap">{formatSize(file.size)}</td>
      <td className="px-2 text-right figures text-s">{formatCount(file.hits)}</td>
      <td className="px-2 pl-6 text-s whitespace-nowrap text-muted">
        <RelativeTime at={file.last_accessed} timeZone={timeZone} />
      </td>
      <td className="px-2 text-s whitespace-nowrap">
        <RelativeTime at={file.time_added} timeZone={timeZone} />
      </td>
      <td className="pr-3">
        <div className="flex justify-end">
          <FileActions file={file} rule={rule} onDeleted={onDeleted} {...stop} />
        </div>
      </td>
    </>
  );
});
