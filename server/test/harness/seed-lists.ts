import { PostgresAdapter, sql } from 'kysely';
import { apiKeyHash, newApiKey } from '../../src/accounts/api-key.ts';
import type { Database } from '../../src/engines/database/database.ts';

export interface SeededAccount {
  readonly id: string;
  readonly apiKey: string;
  readonly files: number;
}

const rowsPerStatement = 100_000;

/**
 * Fills an empty database with `total` files, made by the database itself: accounts with as many as `sizes` says, spread
 * over the whole time, and a thousand others between them. Each size must go into `total`, ten times at least. `sealKey`
 * makes keys such that the owner may see them.
 */
export async function seedLists(
  db: Database,
  sizes: readonly number[],
  total: number,
  sealKey: (accountId: string, apiKey: string) => string = () => '',
): Promise<SeededAccount[]> {
  const accounts = sizes.map((files) => ({ id: `account-of-${files}`, apiKey: newApiKey(), files }));
  const others = Array.from({ length: 1_000 }, (_, at) => ({ id: `other-${at}`, apiKey: newApiKey(), files: 0 }));
  await db
    .insertInto('accounts')
    .values(
      [...accounts, ...others].map((account) => ({
        ...rowOf(account),
        key_sealed: sealKey(account.id, account.apiKey),
      })),
    )
    .execute();
  const restoreIndexes = await dropIndexes(db);
  for (let from = 0; from < total; from += rowsPerStatement)
    await insertFiles(db, accounts, total, from, Math.min(total, from + rowsPerStatement));
  await restoreIndexes();
  // What its own upkeep does after a while.
  if (isPostgres(db)) await sql`VACUUM ANALYZE files`.execute(db);
  return accounts;
}

/** What is public of file number `at`, counted from 0. */
export function seededFile(at: number): { readonly name: string; readonly sha256: string } {
  const digits = String(100_000_000 + at);
  return { name: `q${digits}`, sha256: '0'.repeat(55) + digits };
}

const isPostgres = (db: Database) => db.getExecutor().adapter instanceof PostgresAdapter;

const rowOf = ({ id, apiKey, files }: SeededAccount) => ({
  id,
  email: `${id}@example.com`,
  email_key: `${id}@example.com`,
  name: id,
  password_hash: '',
  level: 'power' as const,
  key_hash: apiKeyHash(apiKey),
  slots_used: files,
  created_at: 0,
  verified_at: 0,
  // Nobody is dormant, whom a server that runs for a while would write to.
  last_active_at: Date.now(),
});

/** Plain ASCII, whose folding is the same in SQL. */
async function insertFiles(
  db: Database,
  accounts: readonly SeededAccount[],
  total: number,
  from: number,
  to: number,
): Promise<void> {
  const owner = sql.join(
    accounts.map(({ id, files }, at) => sql`WHEN n % ${sql.lit(total / files)} = ${sql.lit(at)} THEN ${sql.lit(id)}`),
    sql` `,
  );
  await sql`
    INSERT INTO files (id, account_id, name, original_name, search_text, extension, size, sha256, blob_id, is_favorite,
      hits, last_accessed_at, uploaded_at)
    WITH RECURSIVE
      numbers (n) AS (
        SELECT cast(${sql.lit(from)} AS bigint) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${sql.lit(to)}
      ),
      named AS (
        SELECT n, cast(100000000 + n AS text) AS digits,
          CASE n % 5 WHEN 0 THEN 'world' WHEN 1 THEN 'photo' WHEN 2 THEN 'backup' WHEN 3 THEN 'notes' ELSE 'clip' END AS word,
          CASE n % 3 WHEN 0 THEN 'zip' WHEN 1 THEN 'png' ELSE 'txt' END AS extension
        FROM numbers
      ),
      titled AS (SELECT *, word || ' of summer ' || digits || '.' || extension AS title FROM named)
    SELECT 'file-' || digits || 'abcdef', CASE ${owner} ELSE 'other-' || cast(n % 1000 AS text) END, 'q' || digits, title,
      upper('q' || digits || ' ' || title), extension, n * 7919 % 1000003, ${'0'.repeat(55)} || digits, 'blob-' || digits,
      CASE n % 50 WHEN 3 THEN 1 ELSE 0 END, n * 31 % 5003, CASE n % 3 WHEN 0 THEN 0 ELSE 1700000000000 + n * 17 % 1000003 END,
      1700000000000 + n
    FROM titled`.execute(db);
}

/** Without its indexes a table fills several times faster. */
async function dropIndexes(db: Database): Promise<() => Promise<void>> {
  const indexes = await sql<{ name: string; definition: string }>`
    ${
      isPostgres(db)
        ? sql`SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = current_schema()`
        : sql`SELECT name, sql AS definition FROM sqlite_master WHERE type = 'index'`
    }`.execute(db);
  const ofFiles = indexes.rows.filter(({ name }) => name.startsWith('files_by_'));
  for (const { name } of ofFiles) await db.schema.dropIndex(name).execute();
  return async () => {
    for (const { definition } of ofFiles) await sql.raw(definition).execute(db);
  };
}
