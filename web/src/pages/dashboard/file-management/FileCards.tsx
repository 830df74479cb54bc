import { Checkbox } from '../../../ui/Checkbox.tsx';
import { FileCard } from './FileCard.tsx';
import type { ListProps } from './list-props.ts';
import { allState } from './selection.ts';
import { SkeletonCards } from './SkeletonCards.tsx';
import { SortPicker } from './SortPicker.tsx';
import { useDrawnRows } from './use-drawn-rows.ts';

const cardHeight = 107;

/** The list of a phone: what the table's head does stands above it. */
export function FileCards(props: ListProps) {
  const { list, names, selected, onSelect, onSelectAll, address, onSort, rule, previews, timeZone } = props;
  const { place, measure, rows, rest } = useDrawnRows(names, cardHeight);
  return (
    <div className="[&_label]:size-11">
      <div className="flex items-center gap-2 border-b border-line p-1">
        <Checkbox
          label="Select all files"
          disabled={names.length === 0}
          checked={allState(selected.size, names.length)}
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
