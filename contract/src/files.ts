import * as z from 'zod/mini';
import { accountLimits, accountUsage } from './account.ts';
import { uploadKeyHeader } from './calls.ts';
import { listLimit, longestSearch, mostSearchWords, sortColumns, sortDirections } from './limits.ts';

export const storedName = z
  .string('A file name is required')
  .check(z.regex(/^[0-9A-Za-z]{4,64}$/, 'A stored file name has letters and digits only, without an extension'));

const badUploadKey = `'${uploadKeyHeader}' must be 1 to 255 printable ASCII characters`;
export const uploadKey = z
  .string(badUploadKey)
  .check(z.minLength(1, badUploadKey), z.maxLength(255, badUploadKey), z.regex(/^[ -~]*$/, badUploadKey));

export const file = z.object({
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  original_name: z.string(),
  extension: z.string(),
  /** The stored unique name, without an extension. */
  name: z.string(),
  size: z.int().check(z.nonnegative()),
  content_type: z.string(),
  hits: z.int().check(z.nonnegative()),
  last_accessed: z.nullable(z.iso.datetime()),
  time_added: z.iso.datetime(),
  is_favorite: z.boolean(),
  is_pending_scan: z.boolean(),
});
/** Not named `File`, which is a platform type. */
export type StoredFile = z.infer<typeof file>;

const searchText = `'search' must be a text of at most ${longestSearch} characters and ${mostSearchWords} words`;

export const oneOf = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');
export const queryNumber = (name: string, max: number) => {
  const message = `'${name}' must be a whole number from 1 to ${max}`;
  return z.pipe(
    z.string(message).check(z.regex(/^[0-9]{1,15}$/, message)),
    z.pipe(z.transform(Number), z.number().check(z.minimum(1, message), z.maximum(max, message))),
  );
};

/** From zero. */
export const queryCount = (name: string) => {
  const message = `'${name}' must be a whole number`;
  return z.pipe(z.string(message).check(z.regex(/^[0-9]{1,15}$/, message)), z.transform(Number));
};

/** Values are not clamped: one out of range returns an error that names its parameter. */
export const fileListQuery = z.object({
  column: z._default(z.enum(sortColumns, `'column' must be one of ${oneOf(sortColumns)}`), 'upload_time'),
  direction: z._default(z.enum(sortDirections, `'direction' must be one of ${oneOf(sortDirections)}`), 'desc'),
  page: z.prefault(queryNumber('page', 1_000_000_000), '1'),
  limit: z.prefault(queryNumber('limit', listLimit.max), String(listLimit.default)),
  /** Words that must all occur in a file's names or type, ignoring case. Empty: every file. */
  search: z._default(
    z.string(searchText).check(
      z.maxLength(longestSearch, searchText),
      z.refine((text) => text.trim().split(/\s+/).length <= mostSearchWords, searchText),
    ),
    '',
  ),
  favorites: z._default(z.enum(['true', 'false'], "'favorites' must be 'true' or 'false'"), 'false'),
});

export const fileList = z.object({
  files: z.array(file),
  /** The same files, under the name that a published client reads. */
  file_list: z.array(file),
  show_file_extensions: z.boolean(),
  preferred_domain: z.string(),
  sorting: z.object({ column: z.enum(sortColumns), direction: z.enum(sortDirections) }),
  sorting_options: z.object({ columns: z.array(z.enum(sortColumns)), directions: z.array(z.enum(sortDirections)) }),
  pagination: z.object({ page: z.int(), limit: z.int(), total_files: z.int() }),
  account_usage: accountUsage,
  account_limits: accountLimits,
});
export type FileList = z.infer<typeof fileList>;
