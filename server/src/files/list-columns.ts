/** Columns returned by the list endpoint, and the columns it can sort by. */
import type { SortColumn, SortDirection } from '@holdfast/contract/src/limits.ts';
import type { FileRow } from '../storage/db/schema.ts';

export const listColumns = [
  'sha256',
  'original_name',
  'extension',
  'name',
  'size',
  'hits',
  'last_accessed_at',
  'uploaded_at',
  'is_favorite',
  'pending_scan',
] as const satisfies readonly (keyof FileRow)[];
export type ListRow = Pick<FileRow, (typeof listColumns)[number]>;

export const sortedBy = {
  upload_time: 'uploaded_at',
  name: 'name',
  favorite: 'is_favorite',
  size: 'size',
  hits: 'hits',
  access_time: 'last_accessed_at',
  file_extension: 'extension',
} as const satisfies Record<SortColumn, keyof FileRow>;

/** A range of files in one order, ties broken by id: `count` files after the first `skip`. */
export interface Slice {
  readonly column: (typeof sortedBy)[SortColumn];
  readonly order: SortDirection;
  readonly skip: number;
  readonly count: number;
}
