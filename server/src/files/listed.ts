/** What of a file's row is in a list, and what a list is sorted by. */
import type { SortColumn, SortDirection } from '@holdfast/contract/src/files.ts';
import type { FileRow } from '../engines/database/schema.ts';

export const listed = [
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
export type ListedRow = Pick<FileRow, (typeof listed)[number]>;

export const sortedBy = {
  upload_time: 'uploaded_at',
  name: 'name',
  favorite: 'is_favorite',
  size: 'size',
  hits: 'hits',
  access_time: 'last_accessed_at',
  file_extension: 'extension',
} as const satisfies Record<SortColumn, keyof FileRow>;

/** Files in one order, equal keys by id: `count` of them, after the first `skip`. */
export interface Slice {
  readonly column: (typeof sortedBy)[SortColumn];
  readonly order: SortDirection;
  readonly skip: number;
  readonly count: number;
}
