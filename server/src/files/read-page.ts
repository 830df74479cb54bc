import type { SortColumn, SortDirection } from '@holdfast/contract/src/limits.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { searchWords } from '../lib/search-text.ts';
import { listColumns, type ListRow, type Slice, sortedBy } from './list-columns.ts';
import { countFound, readFound } from './search.ts';

export interface ListQuery {
  readonly column: SortColumn;
  readonly direction: SortDirection;
  readonly page: number;
  readonly limit: number;
  readonly search: string;
}

/** Returns one page of the files that match a query, and the total number of matches. */
export async function readPage(
  tx: Transaction,
  account: AccountRow,
  { column, direction, page, limit, search }: ListQuery,
): Promise<{ total: number; rows: ListRow[] }> {
  const words = searchWords(search);
  const total = words.length === 0 ? account.slots_used : await countFound(tx, account.id, words);
  const skip = (page - 1) * limit;
  const count = Math.min(limit, total - skip);
  if (count <= 0) return { total, rows: [] };
  // Reads from the nearer end, so that the last page costs the same as the first.
  const fromEnd = skip + count > total / 2 && skip > 0;
  const flipped = direction === 'asc' ? 'desc' : 'asc';
  const slice: Slice = {
    column: sortedBy[column],
    order: fromEnd ? flipped : direction,
    skip: fromEnd ? total - skip - count : skip,
    count,
  };
  const rows =
    words.length === 0 ? await readAll(tx, account.id, slice) : await readFound(tx, account.id, words, slice);
  return { total, rows: fromEnd ? rows.toReversed() : rows };
}

/** Walks the index and reads rows only for the page itself. */
function readAll(tx: Transaction, accountId: string, { column, order, skip, count }: Slice): Promise<ListRow[]> {
  return tx
    .with('page', (cte) =>
      cte
        .selectFrom('files')
        .select(['id', `${column} as sort_key`])
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .orderBy(column, order)
        .orderBy('id', order)
        .limit(count)
        .offset(skip),
    )
    .selectFrom('page')
    .innerJoin('files', 'files.id', 'page.id')
    .select(listColumns)
    .orderBy('page.sort_key', order)
    .orderBy('page.id', order)
    .execute();
}
