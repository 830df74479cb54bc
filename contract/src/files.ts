/** A file as its owner sees it, and the list of them (spec section 3). */
import * as z from 'zod/mini';
import { accountLimits, accountUsage } from './account.ts';

export const storedName = z
  .string('A file name is required')
  .check(z.regex(/^[0-9A-Za-z]{4,64}$/, 'A stored file name has letters and digits only, without an extension'));

export const file = z.object({
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  original_name: z.string(),
  /** Lower case, without a dot; empty where the original name has none. */
  extension: z.string(),
  /** The stored unique name, without an extension. */
  name: z.string(),
  /** Bytes. */
  size: z.int().check(z.nonnegative()),
  content_type: z.string(),
  /** How often it was downloaded. */
  hits: z.int().check(z.nonnegative()),
  /** Null until the first access. */
  last_accessed: z.nullable(z.iso.datetime()),
  time_added: z.iso.datetime(),
  is_favorite: z.boolean(),
  /** While its bytes wait for a malware scan its link answers 503. */
  is_pending_scan: z.boolean(),
});
/** Not `File`: the platform has that. */
export type StoredFile = z.infer<typeof file>;

export const sortColumns = [
  'upload_time',
  'name',
  'favorite',
  'size',
  'hits',
  'access_time',
  'file_extension',
] as const;
export type SortColumn = (typeof sortColumns)[number];
export const sortDirections = ['asc', 'desc'] as const;
export type SortDirection = (typeof sortDirections)[number];

/** Spec section 9: 200 by default, 500 at most. */
export const listLimit = { default: 200, max: 500 } as const;

/** Enough for any name that somebody types. Every word is looked for in every name. */
export const longestSearch = 200;
const mostWords = 10;
const searchText = `'search' must be a text of at most ${longestSearch} characters and ${mostWords} words`;

const oneOf = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');
export const queryNumber = (name: string, max: number) => {
  const message = `'${name}' must be a whole number from 1 to ${max}`;
  return z.pipe(
    z.string(message).check(z.regex(/^[0-9]{1,15}$/, message)),
    z.pipe(z.transform(Number), z.number().check(z.minimum(1, message), z.maximum(max, message))),
  );
};

/** Nothing is clamped: a value out of range is an error that names its parameter (decisions section 2). */
export const fileListQuery = z.object({
  column: z._default(z.enum(sortColumns, `'column' must be one of ${oneOf(sortColumns)}`), 'upload_time'),
  direction: z._default(z.enum(sortDirections, `'direction' must be one of ${oneOf(sortDirections)}`), 'desc'),
  page: z.prefault(queryNumber('page', 1_000_000_000), '1'),
  limit: z.prefault(queryNumber('limit', listLimit.max), String(listLimit.default)),
  /** Words that must all stand in a file's names or type, in any case of their letters. Empty: every file. */
  search: z._default(
    z.string(searchText).check(
      z.maxLength(longestSearch, searchText),
      z.refine((text) => text.trim().split(/\s+/).length <= mostWords, searchText),
    ),
    '',
  ),
});

export const fileList = z.object({
  files: z.array(file),
  show_file_extensions: z.boolean(),
  /** The bare host that links are made for. */
  preferred_domain: z.string(),
  sorting: z.object({ column: z.enum(sortColumns), direction: z.enum(sortDirections) }),
  sorting_options: z.object({ columns: z.array(z.enum(sortColumns)), directions: z.array(z.enum(sortDirections)) }),
  /** `total_files` counts what the search finds. */
  pagination: z.object({ page: z.int(), limit: z.int(), total_files: z.int() }),
  account_usage: accountUsage,
  account_limits: accountLimits,
});
export type FileList = z.infer<typeof fileList>;
