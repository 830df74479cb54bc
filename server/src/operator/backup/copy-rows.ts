import { sql } from 'kysely';
import { type Database, isPostgres, type Transaction } from '../../storage/db/database.ts';
import type { Schema } from '../../storage/db/schema.ts';
import { secretFact } from '../../accounts/api-key.ts';
import { firstStepsFact } from '../../accounts/first-steps.ts';
import { providerFact } from '../../billing/provider.ts';
import { livesFact } from './lives.ts';

/** With the columns by which rows are read in order. */
type Tables = { readonly [Table in keyof Schema]?: readonly (keyof Schema[Table])[] };

/** Each row finds those that it refers to. Sessions, codes, reset keys and emails must not come back. */
export const restoredTables = {
  invitations: ['id'],
  accounts: ['id'],
  blobs: ['id'],
  files: ['id'],
  hit_days: ['file_id'],
  // Of one that the storage has no bytes of, its client hears that it has expired.
  uploads: ['id'],
  used_names: ['name'],
  blocked_digests: ['sha256'],
  activity: ['id'],
  subscriptions: ['account_id'],
  payment_events: ['id'],
  operator_actions: ['id'],
  takedown_cases: ['reference', 'sha256'],
  takedowns: ['reference', 'sha256', 'account_id'],
} as const satisfies Tables;

/** Nobody changes them in the last step of a move. */
export const movedTables = {
  ...restoredTables,
  sessions: ['token_hash'],
  reset_keys: ['address_hash'],
  email_codes: ['account_id'],
  outgoing_emails: ['id'],
  spent_challenges: ['id'],
  jobs: ['name'],
  rescan_finds: ['sha256'],
} as const satisfies Tables;

export const runningNotes = { service_facts: ['name'], processes: ['id'] } as const satisfies Tables;

/** Facts about the rows: those that a first start has noted are of others. */
export async function copyFacts(from: Database, to: Database): Promise<void> {
  await to.deleteFrom('service_facts').where('name', 'in', restoredFacts).execute();
  const noted = await from.selectFrom('service_facts').selectAll().where('name', 'in', restoredFacts).execute();
  if (noted.length > 0) await to.insertInto('service_facts').values(noted).execute();
}

const restoredFacts = [secretFact, providerFact, livesFact, firstStepsFact];

export interface CopyOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number) => void;
}

type Row = Readonly<Record<string, string | number | null>>;

/** Copies all rows, from one engine to the other too. Nothing may change them. */
export async function copyRows(
  from: Database,
  to: Transaction,
  tables: Tables,
  { signal, onProgress }: CopyOptions,
): Promise<number> {
  let total = 0;
  for (const [table, key] of Object.entries(tables))
    for await (const rows of pagesOf(from, table, key)) {
      signal.throwIfAborted();
      await insertRows(to, table, rows);
      onProgress((total += rows.length));
    }
  return total;
}

async function* pagesOf(db: Database, table: string, key: readonly string[]): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let rest = sql`1 = 1`; ;) {
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(table)} WHERE ${rest} ORDER BY ${columns} LIMIT 500`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    rest = sql`(${columns}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}

/** A statement with a parameter for each value takes longer to compile than to run. */
async function insertRows(tx: Transaction, table: string, rows: readonly Row[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  // PostgreSQL cannot store U+0000, which names in old SQLite databases may have.
  const json = JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '\u{FFFD}') : value,
  );
  const into = sql.table(table);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const values = isPostgres(tx)
    ? sql`SELECT ${columns} FROM json_populate_recordset(NULL::${into}, ${json})`
    : sql`SELECT ${sql.join(names.map((name) => sql`value ->> ${sql.lit(name)}`))} FROM json_each(${json})`;
  await sql`INSERT INTO ${into} (${columns}) ${values}`.execute(tx);
}
