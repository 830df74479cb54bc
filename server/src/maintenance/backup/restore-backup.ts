import { join, resolve } from 'node:path';
import { sql, type SqlBool } from 'kysely';
import { type Actor, recordAction } from '../../accounts/record-action.ts';
import type { Context } from '../../context.ts';
import type { Database, Transaction } from '../../engines/database/database.ts';
import { writeFact } from '../../engines/database/service-facts.ts';
import { emptyRows } from '../../files/empty-account.ts';
import { digestOfFile, readLines } from './lines-file.ts';
import {
  checkTables,
  deletionsFile,
  type Manifest,
  manifestFile,
  readManifest,
  tableFile,
  UnusableBackup,
} from './manifest.ts';
import { repeatDeletions } from './repeat-deletions.ts';
import { refuseOtherStorage, takeServiceId } from '../service-id.ts';
import { type BackedUpTable, type Row, tablesAt } from './tables.ts';

export interface RestoreOptions {
  readonly actor: Actor;
  readonly signal: AbortSignal;
  readonly onProgress?: (rows: number) => void;
}

export interface Restored {
  readonly manifest: Manifest;
  /** What was done again that was done after the backup; null where no list of it lies beside it. */
  readonly deletions: number | null;
  /** Whether an earlier restore of this backup had brought the rows back, so that none were touched now. */
  readonly wasBack: boolean;
  /** Whether the list beside the backup is another than the one that restore applied, so that it was not applied. */
  readonly hasOtherList: boolean;
}

/**
 * Puts the rows of a backup into a database without accounts, in one transaction, and does again what was deleted and
 * changed after it was taken. Nobody is signed in afterwards. Where the rows of this backup are back already, they are left
 * alone: a restore whose bytes were not all brought can be given again.
 * @throws {UnusableBackup} when it is damaged, from another version, or the database has accounts.
 * @throws {OtherStorage} when the storage belongs to another service.
 */
export async function restoreBackup(
  context: Pick<Context, 'db' | 'blobs' | 'clock'>,
  folder: string,
  { actor, signal, onProgress }: RestoreOptions,
): Promise<Restored> {
  const { db, clock } = context;
  const source = resolve(folder);
  const manifest = await readManifest(source);
  const service = manifest.service ?? null;
  const digest = await digestOfFile(join(source, manifestFile));
  await refuseOtherStorage(context, service);
  const earlier = await restoredLast(db);
  const list = await digestOfFile(join(source, deletionsFile)).catch(() => null);
  if (earlier?.backup === digest) {
    const { deletions, list: applied = null } = earlier;
    return { manifest, deletions, wasBack: true, hasOtherList: list !== applied };
  }
  await checkTables(source, manifest);
  let done = 0;
  const deletions = await db.transaction().execute(async (tx) => {
    await refuseOtherVersion(tx, manifest);
    for (const { table } of tablesAt(manifest.migration)) {
      signal.throwIfAborted();
      if (!mayHaveRows.has(table)) await refuseFilled(tx, table);
      for await (const rows of readLines<Row>(join(source, tableFile(table)))) {
        signal.throwIfAborted();
        await insertRows(tx, table, rows);
        onProgress?.((done += rows.length));
      }
    }
    const now = clock.now();
    const repeated = await repeatDeletions(tx, source, now, signal);
    await emptyClosed(tx, now);
    await noteRestore(tx, now);
    const details = { backup: digest, deletions: repeated, list } satisfies RestoredLast;
    await recordAction({ db: tx, clock }, actor, { subject: source, details });
    return repeated;
  });
  await takeServiceId(context, service);
  return { manifest, deletions, wasBack: false, hasOtherList: false };
}

/** `holdfast migrate` has written a line of the log, and a payment provider may have called: neither is anybody's account. */
const mayHaveRows: ReadonlySet<BackedUpTable> = new Set(['operator_actions', 'payment_events']);

/** Accounts that were closed, then or since, have no files: those that the backup caught on their way out go now. */
async function emptyClosed(tx: Transaction, now: number): Promise<void> {
  const closed = await tx
    .selectFrom('accounts')
    .select('id')
    // As the index has it, so that it is used.
    .where(sql<SqlBool>`closed_at IS NOT NULL AND slots_used > 0`)
    .execute();
  for (const { id } of closed) await emptyRows(tx, id, now);
}

async function noteRestore(tx: Transaction, now: number): Promise<void> {
  await beginDaysAnew({ db: tx }, now);
  await writeFact(tx, 'restored', { value: '', at: now });
}

/**
 * Whatever the backup says of earlier times, days of disuse begin now: nobody could use what was not there. To be called as
 * well when a later restore brings bytes.
 */
export async function beginDaysAnew({ db }: Pick<Context, 'db'>, now: number): Promise<void> {
  await db
    .insertInto('outages')
    .values({ began_at: 0, ended_at: now })
    .onConflict((conflict) => conflict.column('began_at').doUpdateSet({ ended_at: now }))
    .execute();
}

/** What the audit log tells of a restore. */
interface RestoredLast {
  /** SHA-256 of the manifest. */
  readonly backup: string;
  readonly deletions: number | null;
  /** SHA-256 of the list of deletions; null where none lay beside the backup. */
  readonly list?: string | null;
}

async function restoredLast(db: Database): Promise<RestoredLast | null> {
  const rows = await db
    .selectFrom('operator_actions')
    .select('details')
    .where('action', '=', 'restore')
    .orderBy('id', 'desc')
    .execute();
  // Files that were dropped have a line of their own.
  return rows.map(({ details }) => JSON.parse(details) as Partial<RestoredLast>).find(isOfRows) ?? null;
}

const isOfRows = (details: Partial<RestoredLast>): details is RestoredLast => details.backup !== undefined;

/** Since this one, migrations have only added columns with a default, tables and indexes: rows from before still fit. */
const oldestThatFits = '0013-what-the-purge-finds.sql';

async function refuseOtherVersion(tx: Transaction, { migration }: Manifest): Promise<void> {
  const row = await tx.selectFrom('migrations').select('name').orderBy('name', 'desc').limit(1).executeTakeFirst();
  const newest = row?.name ?? 'nothing';
  if (migration === newest || (migration >= oldestThatFits && migration < newest)) return;
  throw new UnusableBackup(
    `The backup was taken at ${migration}, and this program is at ${newest}. ` +
      'Restore it with the version that took it, and then run the newer one.',
  );
}

async function refuseFilled(tx: Transaction, table: BackedUpTable): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(tx);
  if (rows.length > 0)
    throw new UnusableBackup(`The database is not empty: ${table} has rows. Restore into a new one.`);
}

async function insertRows(tx: Transaction, table: BackedUpTable, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`
    INSERT INTO ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    VALUES ${sql.join(values)}
    ${mayHaveRows.has(table) ? sql`ON CONFLICT DO NOTHING` : sql``}`.execute(tx);
}
