import type { SortColumn, SortDirection } from '@holdfast/contract/src/files.ts';
import type { Transaction } from '../engines/database/database.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { searchWords } from '../lib/search-text.ts';
import { listed, type ListedRow, type Slice, sortedBy } from './listed.ts';
import { countFound, readFound } from './search.ts';

export interface ListQuery {
  readonly column: SortColumn;
  readonly direction: SortDirection;
  readonly page: number;
  readonly limit: number;
  readonly search: string;
}

/** The files that a query asks for, and how many it has on all its pages. */
export async function readPage(
  tx: Transaction,
  account: AccountRow,
  { column, direction, page, limit, search }: ListQuery,
): Promise<{ total: number; rows: ListedRow[] }> {
  const words = searchWords(search);
  const total = words.length === 0 ? account.slots_used : await countFound(tx, account.id, words);
  const skip = (page - 1) * limit;
  const count = Math.min(limit, total - skip);
  if (count <= 0) return { total, rows: [] };
  // From the nearer end: the last page costs like the first.
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

/** An index walk; rows are read when it has come to the page. */
function readAll(tx: Transaction, accountId: string, { column, order, skip, count }: Slice): Promise<ListedRow[]> {
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
    .select(listed)
    .orderBy('page.sort_key', order)
    .orderBy('page.id', order)
    .execute();
}
