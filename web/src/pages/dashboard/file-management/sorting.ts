import type { SortColumn, SortDirection } from '@holdfast/contract/src/limits.ts';

export interface Sorting {
  readonly column: SortColumn;
  readonly direction: SortDirection;
}

/** A click on the active column toggles descending to ascending; any other click sorts descending. */
export function nextSorting(current: Sorting, clicked: SortColumn): Sorting {
  const switches = current.column === clicked && current.direction === 'desc';
  return { column: clicked, direction: switches ? 'asc' : 'desc' };
}

export const ariaSort = (current: Sorting, column: SortColumn): 'ascending' | 'descending' | 'none' =>
  current.column !== column ? 'none' : current.direction === 'asc' ? 'ascending' : 'descending';

export interface Column {
  readonly title: string;
  readonly column: SortColumn;
  readonly figures?: boolean;
  readonly width?: string;
  /**
   * Text to the right of a column of figures. It needs extra space, to keep a distance and to leave room for more
   * digits.
   */
  readonly afterFigures?: boolean;
}

/** The sortable columns in table order. */
export const columns: readonly Column[] = [
  { title: 'Name', column: 'name' },
  { title: 'Type', column: 'file_extension', width: 'w-15 xl:w-20' },
  { title: 'Size', column: 'size', figures: true, width: 'w-23 xl:w-28' },
  { title: 'Hits', column: 'hits', figures: true, width: 'w-22 xl:w-26' },
  { title: 'Last Accessed', column: 'access_time', width: 'w-33 xl:w-40', afterFigures: true },
  { title: 'Upload Time', column: 'upload_time', width: 'w-28 xl:w-34' },
];

/** The sort options on a phone, which has no table head. They include fields without a column. */
export const pickable: readonly Column[] = [...columns, { title: 'Favorite', column: 'favorite' }];
