import type { SortColumn } from '@holdfast/contract/src/files.ts';
import { getRouteApi } from '@tanstack/react-router';
import type { FileListSearch } from '../../../lib/file-list-search.ts';
import { nextSorting } from './sorting.ts';

const route = getRouteApi('/dashboard/file-management');

/** Sort, filter and page live in the address, so that they can be linked to and the back button works. */
export function useListAddress() {
  const address = route.useSearch();
  const navigate = route.useNavigate();
  // Another order or filter makes page 3 another page 3: it starts over.
  const change = (part: Partial<FileListSearch>, replace: boolean) =>
    navigate({ search: (now) => ({ ...now, page: 1, ...part }), replace, resetScroll: false });
  return {
    address,
    sortBy: (clicked: SortColumn) => change(nextSorting(address, clicked), false),
    // Not one step back for each letter.
    searchFor: (search: string) => change({ search }, true),
    resize: (limit: number) => change({ limit, page: Math.ceil(firstOf(address) / limit) }, true),
    turnTo: (page: number) => navigate({ search: (now) => ({ ...now, page }), resetScroll: false }),
  } as const;
}

/** The first file of the page, which the page of another size has to show too. */
const firstOf = ({ page, limit }: FileListSearch): number => (page - 1) * limit + 1;
