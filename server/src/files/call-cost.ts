import type { AccountRow } from '../storage/db/schema.ts';
import type { ListQuery } from './list.ts';

const rowsPerUnit = 250;
const walkedPerUnit = 20_000;
/** A preview reads the rows of all files and not only an index. */
const rowsWalkedPerUnit = 5_000;
const namesPerUnit = 32;

/**
 * What a list costs the server, in ordinary calls: for the rows that it returns, the index entries that it walks past,
 * and a search. A power of two, so that a bucket's capacity divides by it.
 */
export function costOfList({ slots_used }: Pick<AccountRow, 'slots_used'>, query: ListQuery): number {
  const { page, limit, search } = query;
  const isSearch = search.trim() !== '';
  const skipped = Math.min((page - 1) * limit, slots_used);
  // A page is read from the nearer end.
  const walked = isSearch ? slots_used : Math.min(skipped, slots_used - skipped);
  const units = 1 + limit / rowsPerUnit + walked / walkedPerUnit + Number(isSearch);
  return roundedUp(units);
}

/** What a preview of the files that a rule would delete costs: it counts all of them. */
export function costOfPreview({ slots_used }: Pick<AccountRow, 'slots_used'>): number {
  return roundedUp(1 + slots_used / rowsWalkedPerUnit);
}

/** What a deletion costs, whether or not the names are those of files. */
export function costOfDeletion({ files }: { readonly files: readonly string[] }): number {
  return roundedUp(Math.max(1, files.length / namesPerUnit));
}

const roundedUp = (units: number) => 2 ** Math.ceil(Math.log2(units));
