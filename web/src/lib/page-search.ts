/** The part of an address that says which page of a list is shown: `?page=2`. The first one is not mentioned. */
export interface PageSearch {
  readonly page: number;
}

export const firstPage = { page: 1 } as const satisfies PageSearch;

/** A hand-written address may say anything: what is no page counts as the first one. */
export function readPageSearch(search: { readonly [key: string]: unknown }): PageSearch {
  const page = Number(search['page']);
  return { page: Number.isSafeInteger(page) && page >= 1 && page <= 1_000_000_000 ? page : firstPage.page };
}
