import type { FileList, StoredFile } from '@holdfast/contract/src/files.ts';
import { type SortColumn, sortColumns, type SortDirection, sortDirections } from '@holdfast/contract/src/limits.ts';
import { limitsOf, usageOf } from '../accounts/info.ts';
import { preferredDomain } from '../accounts/settings.ts';
import type { Context } from '../context.ts';
import { presentationOf } from '../delivery/content-types.ts';
import { timeText } from '../lib/clock.ts';
import { searchWords } from '../lib/search-text.ts';
import type { Transaction } from '../storage/db/database.ts';
import { readSnapshot } from '../storage/db/read-snapshot.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { countFound, listColumns, type ListRow, readFound, type Slice } from './search.ts';

export interface ListQuery {
  readonly column: SortColumn;
  readonly direction: SortDirection;
  readonly page: number;
  readonly limit: number;
  readonly search: string;
  readonly favorites: 'true' | 'false';
}

export async function listFiles(context: Context, accountId: string, query: ListQuery): Promise<FileList> {
  // One snapshot: the count decides from which end the page is read, so it must match the rows.
  const { account, total, rows } = await readSnapshot(context.db, async (tx) => {
    const row = await tx.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
    return { account: row, ...(await readPage(tx, row, query)) };
  });
  const files = rows.map(describe);
  return {
    files,
    file_list: files,
    show_file_extensions: account.return_file_extension === 1,
    preferred_domain: preferredDomain(context, account),
    sorting: { column: query.column, direction: query.direction },
    sorting_options: { columns: [...sortColumns], directions: [...sortDirections] },
    pagination: { page: query.page, limit: query.limit, total_files: total },
    account_usage: usageOf(account),
    account_limits: limitsOf(context, account),
  };
}

export const describe = ({
  last_accessed_at,
  uploaded_at,
  is_favorite,
  pending_scan,
  ...row
}: ListRow): StoredFile => ({
  ...row,
  content_type: presentationOf(row.extension).contentType,
  last_accessed: last_accessed_at === 0 ? null : timeText(last_accessed_at),
  time_added: timeText(uploaded_at),
  is_favorite: is_favorite === 1,
  is_pending_scan: pending_scan === 1,
});

const sortedBy = {
  upload_time: 'uploaded_at',
  name: 'name',
  favorite: 'is_favorite',
  size: 'size',
  hits: 'hits',
  access_time: 'last_accessed_at',
  file_extension: 'extension',
} as const satisfies Record<SortColumn, Slice['column']>;

async function readPage(
  tx: Transaction,
  account: AccountRow,
  { column, direction, page, limit, search, favorites }: ListQuery,
): Promise<{ total: number; rows: ListRow[] }> {
  const wanted = { accountId: account.id, words: searchWords(search), onlyFavorites: favorites === 'true' };
  const isWhole = wanted.words.length === 0 && !wanted.onlyFavorites;
  const total = isWhole ? account.slots_used : await countFound(tx, wanted);
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
  const rows = isWhole ? await readAll(tx, account.id, slice) : await readFound(tx, wanted, slice);
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
