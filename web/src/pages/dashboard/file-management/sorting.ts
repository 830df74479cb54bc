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
  /** In the table; the name takes what the others leave. */
  readonly width?: string;
  /** Words right of figures, which would stand too close and have no room for more digits. */
  readonly afterFigures?: boolean;
}

/** The sortable columns, in the order of the table (spec section 2). */
export const columns: readonly Column[] = [
  { title: 'Name', column: 'name' },
  { title: 'Type', column: 'file_extension', width: 'w-15 xl:w-20' },
  { title: 'Size', column: 'size', figures: true, width: 'w-23 xl:w-28' },
  { title: 'Hits', column: 'hits', figures: true, width: 'w-22 xl:w-26' },
  { title: 'Last Accessed', column: 'access_time', width: 'w-33 xl:w-40', afterFigures: true },
  { title: 'Upload Time', column: 'upload_time', width: 'w-28 xl:w-34' },
];

/** A phone has no head to press: it picks from all that the list can be sorted by. */
export const pickable: readonly Column[] = [...columns, { title: 'Favorite', column: 'favorite' }];
