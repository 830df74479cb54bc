import type { SortColumn } from '@holdfast/contract/src/files.ts';
import { getRouteApi } from '@tanstack/react-router';
import { nextSorting, type Sorting } from './sorting.ts';

const route = getRouteApi('/dashboard/file-management');

/** Sort and page live in the address, so that they can be linked to and the back button works. */
export function useListAddress() {
  const { column, direction, page } = route.useSearch();
  const navigate = route.useNavigate();
  const sorting: Sorting = { column, direction };
  // Another order makes page 3 another page 3: it starts over.
  const sortBy = (clicked: SortColumn) =>
    navigate({ search: { ...nextSorting(sorting, clicked), page: 1 }, replace: true, resetScroll: false });
  return { sorting, page, sortBy } as const;
}
