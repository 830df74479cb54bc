import { clsx } from 'clsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import type { ListProps } from './list-props.ts';
import { allState } from './selection.ts';
import { SortButton } from './SortButton.tsx';
import { ariaSort, columns } from './sorting.ts';

type FileTableHeadProps = Pick<ListProps, 'names' | 'selected' | 'onSelectAll' | 'address' | 'onSort'>;

export function FileTableHead({ names, selected, onSelectAll, address, onSort }: FileTableHeadProps) {
  return (
    <thead>
      <tr className="h-10 text-left text-s whitespace-nowrap text-muted *:border-b *:border-line">
        <th scope="col" className="w-12 pl-3">
          <Checkbox
            label="Select all files"
            disabled={names.length === 0}
            checked={allState(selected.size, names.length)}
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
        <th scope="col" className="w-22 pr-3 text-right font-medium touch:w-26">
          Actions
        </th>
      </tr>
    </thead>
  );
}
