import type { FileList } from '@holdfast/contract/src/files.ts';
import { formatCount, formatFiles } from '../../../lib/format.ts';

type Pagination = FileList['pagination'];

/** An empty list still has a first page. */
export const lastPage = ({ limit, total_files }: Pagination): number => Math.max(1, Math.ceil(total_files / limit));

/** The range in `201–400 of 1,204`, counted from one. */
export function shownRange({ page, limit, total_files }: Pagination): { readonly from: number; readonly to: number } {
  return { from: Math.min(total_files, (page - 1) * limit + 1), to: Math.min(total_files, page * limit) };
}

/** `Page 3 of 500, 100,000 files`, for screen readers. */
export function pageInWords(pagination: Pagination, search: string): string {
  const files = `${formatFiles(pagination.total_files)}${search === '' ? '' : ' found'}`;
  const last = lastPage(pagination);
  return last === 1 ? files : `Page ${formatCount(pagination.page)} of ${formatCount(last)}, ${files}`;
}
