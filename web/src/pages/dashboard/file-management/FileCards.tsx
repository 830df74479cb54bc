import { Checkbox } from '../../../ui/Checkbox.tsx';
import { FileCard } from './FileCard.tsx';
import type { ListProps } from './list-props.ts';
import { allState } from './selection.ts';
import { SkeletonCards } from './SkeletonCards.tsx';
import { SortPicker } from './SortPicker.tsx';

/** The list of a phone: what the table's head does stands above it. */
export function FileCards({ list, selected, onSelect, onSelectAll, sorting, onSort, previews, timeZone }: ListProps) {
  const files = list?.files ?? [];
  return (
    <div className="[&_label]:size-11">
      <div className="flex items-center gap-2 border-b border-line p-1">
        <Checkbox
          label="Select all files"
          disabled={files.length === 0}
          checked={allState(selected.size, files.length)}
          onChange={onSelectAll}
        />
        <span aria-hidden className="text-s text-muted">
          All
        </span>
        <SortPicker sorting={sorting} onSort={onSort} />
      </div>
      {list ? (
        <ul aria-label="Files" className="divide-y divide-line">
          {files.map((file) => (
            <FileCard
              key={file.name}
              file={file}
              rule={list}
              chosen={selected.has(file.name)}
              onSelect={onSelect}
              previews={previews}
              timeZone={timeZone}
            />
          ))}
        </ul>
      ) : (
        <SkeletonCards />
      )}
    </div>
  );
}
