/** Search parameters of the app's pages, read from their addresses. */
import {
  activityEvents,
  type CheckoutOutcome,
  listLimit,
  longestSearch,
  mostSearchWords,
  type SortColumn,
  sortColumns,
  type SortDirection,
  sortDirections,
  type SubscriptionProblem,
  subscriptionProblems,
} from '@holdfast/contract/src/limits.ts';

type Search = { readonly [key: string]: unknown };

/** Search parameter for the page of a list: `?page=2`. The address omits the first page. */
export interface PageSearch {
  readonly page: number;
}

export const firstPage = { page: 1 } as const satisfies PageSearch;

/** A hand-written address may contain anything, so an invalid page counts as the first one. */
export function readPageSearch(search: Search): PageSearch {
  const page = Number(search['page']);
  return { page: Number.isSafeInteger(page) && page >= 1 && page <= 1_000_000_000 ? page : firstPage.page };
}

/** Search parameters of the Usage page: the page of its activity, and the only event shown. */
export interface ActivitySearch extends PageSearch {
  readonly event?: (typeof activityEvents)[number] | undefined;
}

export const readActivitySearch = (search: Search): ActivitySearch => ({
  ...readPageSearch(search),
  event: oneOf(activityEvents, search['event']),
});

/** Search parameters of the file list. */
export interface FileListSearch {
  readonly column: SortColumn;
  readonly direction: SortDirection;
  readonly page: number;
  readonly limit: number;
  readonly search: string;
  readonly favorites: boolean;
}

export const pageSizes: readonly number[] = [50, 100, listLimit.default, listLimit.max];

/** The address omits parameters that have their default value. */
export const fileListDefaults = {
  column: 'upload_time',
  direction: 'desc',
  ...firstPage,
  limit: listLimit.default,
  search: '',
  favorites: false,
} as const satisfies FileListSearch;

/** A hand-written address may contain anything, so unknown values are treated as missing. */
export function readFileListSearch(search: Search): FileListSearch {
  const limit = Number(search['limit']);
  return {
    column: oneOf(sortColumns, search['column']) ?? fileListDefaults.column,
    direction: oneOf(sortDirections, search['direction']) ?? fileListDefaults.direction,
    ...readPageSearch(search),
    limit: pageSizes.includes(limit) ? limit : fileListDefaults.limit,
    search: asText(search['search']).trim().slice(0, longestSearch),
    favorites: search['favorites'] === true,
  };
}

/** The server searches for a limited number of words. The longest ones find the least other files. */
export function mostTellingWords(search: string): string {
  const words = search.split(/\s+/).filter(Boolean);
  const told = new Set(words.toSorted((a, b) => b.length - a.length).slice(0, mostSearchWords));
  return words
    .filter((word) => told.has(word))
    .slice(0, mostSearchWords)
    .join(' ');
}

const oneOf = <Word extends string>(words: readonly Word[], said: unknown): Word | undefined =>
  words.find((word) => word === said);

/** The router parses `?search=2026` as a number and `?search=true` as a boolean. */
const asText = (said: unknown): string =>
  typeof said === 'string' || typeof said === 'number' || typeof said === 'boolean' ? String(said) : '';

/** Search parameters of the Plan Info page and of the Pricing page. */
export interface ReturnSearch {
  readonly checkout?: CheckoutOutcome | undefined;
  readonly problem?: SubscriptionProblem | undefined;
}

/** An unknown value is replaced with undefined: if the key were left out, the value in the address would remain. */
export const readPaidSearch = ({ checkout, problem }: Search): ReturnSearch => ({
  checkout: checkout === 'paid' ? checkout : undefined,
  problem: oneOf(subscriptionProblems, problem),
});

export const readReturnSearch = ({ checkout, problem }: Search): ReturnSearch => ({
  checkout: checkout === 'canceled' ? checkout : undefined,
  problem: oneOf(subscriptionProblems, problem),
});
