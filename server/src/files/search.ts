/** Both statements read only the account's part of `files_by_search`, which covers every column they use. */
import { type Expression, PostgresAdapter, type SqlBool, sql } from 'kysely';
import type { Transaction } from '../storage/db/database.ts';
import type { FileRow } from '../storage/db/schema.ts';

export const listColumns = [
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
export type ListRow = Pick<FileRow, (typeof listColumns)[number]>;

export interface Slice {
  readonly column: 'uploaded_at' | 'name' | 'is_favorite' | 'size' | 'hits' | 'last_accessed_at' | 'extension';
  readonly order: 'asc' | 'desc';
  readonly skip: number;
  readonly count: number;
}

export interface Wanted {
  readonly accountId: string;
  readonly words: readonly string[];
  readonly onlyFavorites: boolean;
}

export async function countFound(tx: Transaction, wanted: Wanted): Promise<number> {
  const { total } = await found(tx, wanted)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

export function readFound(tx: Transaction, wanted: Wanted, { column, order, skip, count }: Slice): Promise<ListRow[]> {
  return (
    tx
      // Otherwise an engine may walk an index that is already in order and fetch each row.
      .with(
        (name) => name('found').materialized(),
        () => found(tx, wanted).select(['id', `${column} as sort_key`]),
      )
      .with('page', (cte) =>
        cte.selectFrom('found').selectAll().orderBy('sort_key', order).orderBy('id', order).limit(count).offset(skip),
      )
      .selectFrom('page')
      .innerJoin('files', 'files.id', 'page.id')
      .select(listColumns)
      .orderBy('page.sort_key', order)
      .orderBy('page.id', order)
      .execute()
  );
}

function found(tx: Transaction, { accountId, words, onlyFavorites }: Wanted) {
  const all = tx.selectFrom('files').where('account_id', '=', accountId).where('deleted_at', 'is', null);
  const query = onlyFavorites ? all.where('is_favorite', '=', 1) : all;
  return words.reduce((matching, word) => matching.where((eb) => containsText(tx, eb.ref('search_text'), word)), query);
}

/** Faster than LIKE for a long part. */
function containsText(tx: Transaction, text: Expression<string>, part: string): Expression<SqlBool> {
  return tx.getExecutor().adapter instanceof PostgresAdapter
    ? sql<SqlBool>`strpos(${text}, ${part}) > 0`
    : sql<SqlBool>`instr(${text}, ${part}) > 0`;
}
