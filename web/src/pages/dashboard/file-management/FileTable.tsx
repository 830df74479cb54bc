import { clsx } from 'clsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { FileRow } from './FileRow.tsx';
import type { ListProps } from './list-props.ts';
import { allState } from './selection.ts';
import { SkeletonRows } from './SkeletonRows.tsx';
import { SortButton } from './SortButton.tsx';
import { ariaSort, columns } from './sorting.ts';

export function FileTable({ list, selected, onSelect, onSelectAll, sorting, onSort, previews, timeZone }: ListProps) {
  const files = list?.files ?? [];
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <thead>
          <tr className="h-10 border-b border-line text-left text-s whitespace-nowrap text-muted">
            <th scope="col" className="w-12 pl-3">
              <Checkbox
                label="Select all files"
                disabled={files.length === 0}
                checked={allState(selected.size, files.length)}
                onChange={onSelectAll}
              />
            </th>
            {columns.map(({ title, column, figures }) => (
              <th
                key={column}
                scope="col"
                aria-sort={ariaSort(sorting, column)}
                className={clsx('px-2 font-medium', figures && 'text-right', column === 'name' && 'min-w-40')}
              >
                <SortButton
                  title={title}
                  direction={sorting.column === column ? sorting.direction : undefined}
                  atRight={figures}
                  onClick={() => onSort(column)}
                />
              </th>
            ))}
            <th scope="col" className="w-24 pr-3 text-right font-medium">
              Actions
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {list ? (
            files.map((file) => (
              <FileRow
                key={file.name}
                file={file}
                rule={list}
                chosen={selected.has(file.name)}
                onSelect={onSelect}
                previews={previews}
                timeZone={timeZone}
              />
            ))
          ) : (
            <SkeletonRows />
          )}
        </tbody>
      </table>
    </div>
  );
}
