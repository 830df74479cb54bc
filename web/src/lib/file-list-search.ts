import type { listLimit, longestSearch, SortColumn, SortDirection } from '@holdfast/contract/src/files.ts';

/** The part of the file list's address after the question mark. */
export interface FileListSearch {
  readonly column: SortColumn;
  readonly direction: SortDirection;
  readonly page: number;
  /** Files on one page. */
  readonly limit: number;
  /** What the list is filtered by; empty for every file. */
  readonly search: string;
}

/**
 * The contract's words once more: the routes are on every page, and its own lists would bring its validators along.
 * The compiler keeps the two in step.
 */
const columns = {
  upload_time: true,
  name: true,
  favorite: true,
  size: true,
  hits: true,
  access_time: true,
  file_extension: true,
} satisfies Record<SortColumn, true>;
const directions = { asc: true, desc: true } satisfies Record<SortDirection, true>;
const usualLimit = 200 satisfies (typeof listLimit)['default'];
const highestLimit = 500 satisfies (typeof listLimit)['max'];
const longest = 200 satisfies typeof longestSearch;

export const pageSizes: readonly number[] = [50, 100, usualLimit, highestLimit];

/** Spec section 9. An address does not mention what has its default. */
export const fileListDefaults = {
  column: 'upload_time',
  direction: 'desc',
  page: 1,
  limit: usualLimit,
  search: '',
} as const satisfies FileListSearch;

/** A hand-written address may say anything: what is not known counts as not said. */
export function readFileListSearch(search: { readonly [key: string]: unknown }): FileListSearch {
  const page = Number(search['page']);
  const limit = Number(search['limit']);
  return {
    column: oneOf(columns, search['column']) ?? fileListDefaults.column,
    direction: oneOf(directions, search['direction']) ?? fileListDefaults.direction,
    page: Number.isSafeInteger(page) && page >= 1 ? page : fileListDefaults.page,
    limit: pageSizes.includes(limit) ? limit : fileListDefaults.limit,
    search: asText(search['search']).trim().slice(0, longest),
  };
}

function oneOf<Word extends string>(words: Record<Word, true>, said: unknown): Word | undefined {
  const isWord = (text: unknown): text is Word => typeof text === 'string' && Object.hasOwn(words, text);
  return isWord(said) ? said : undefined;
}

/** `?search=2026` comes as a number, `?search=true` as a boolean. */
const asText = (said: unknown): string =>
  typeof said === 'string' || typeof said === 'number' || typeof said === 'boolean' ? String(said) : '';
