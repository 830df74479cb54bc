import { ArrowDownWideNarrow, ArrowUpNarrowWide } from 'lucide-react';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { FilesProps } from './list-props.ts';
import { pickable, type Sorting } from './sorting.ts';

export function SortPicker({ sorting, onSort }: Pick<FilesProps, 'onSort'> & { readonly sorting: Sorting }) {
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
        className={look}
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

const look = 'h-11 rounded-m bg-surface px-2 text-s';
