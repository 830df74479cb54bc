import type { SortColumn, SortDirection } from '@holdfast/contract/src/files.ts';

export interface Sorting {
  readonly column: SortColumn;
  readonly direction: SortDirection;
}

/** Spec section 4: the active column while descending switches to ascending; any other click sets descending. */
export function nextSorting(current: Sorting, clicked: SortColumn): Sorting {
  const switches = current.column === clicked && current.direction === 'desc';
  return { column: clicked, direction: switches ? 'asc' : 'desc' };
}

export const ariaSort = (current: Sorting, column: SortColumn): 'ascending' | 'descending' | 'none' =>
  current.column !== column ? 'none' : current.direction === 'asc' ? 'ascending' : 'descending';

export interface Column {
  readonly title: string;
  readonly column: SortColumn;
  /** Figures stand at the right edge of their column. */
  readonly figures?: boolean;
}

/** The sortable columns, in the order of the table (spec section 2). */
export const columns: readonly Column[] = [
  { title: 'Name', column: 'name' },
  { title: 'Type', column: 'file_extension' },
  { title: 'Size', column: 'size', figures: true },
  { title: 'Hits', column: 'hits', figures: true },
  { title: 'Last Accessed', column: 'access_time' },
  { title: 'Upload Time', column: 'upload_time' },
];
