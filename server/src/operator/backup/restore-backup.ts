import { join, resolve } from 'node:path';
import { sql, type SqlBool } from 'kysely';
import { type Actor, recordAction } from '../record-action.ts';
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
import { refuseOtherStorage, takeServiceId } from '../../engines/blobs/storage-owner.ts';
import { type BackedUpTable, currentColumn, type Row, tablesIn } from './tables.ts';

export interface RestoreBackupOptions {
  readonly actor: Actor;
  readonly signal: AbortSignal;
  readonly onProgress?: (rows: number) => void;
}

export interface RestoredBackup {
  readonly manifest: Manifest;
  /** Number of changes made after the backup that were applied again; null if there is no list beside it. */
  readonly deletions: number | null;
  /** True if an earlier restore of this backup already brought the rows back, so that none were changed now. */
  readonly wasBack: boolean;
  /**
   * True if the list beside the backup differs from the one that the earlier restore applied, so that it was not
   * applied.
   */
  readonly hasOtherList: boolean;
}

/**
 * Restores the rows of a backup into a database without accounts, in one transaction, and applies again what was
 * deleted and changed after it was taken. No session survives a restore. If the rows of this backup were already
 * restored, they are left alone, so a restore that did not bring all bytes can be repeated.
 * @throws {UnusableBackup} when it is damaged, from another version, or the database has accounts.
 * @throws {OtherStorage} when the storage belongs to another service.
 */
export async function restoreBackup(
  context: Pick<Context, 'db' | 'blobs' | 'clock'>,
  folder: string,
  { actor, signal, onProgress }: RestoreBackupOptions,
): Promise<RestoredBackup> {
  const { db, clock } = context;
  const source = resolve(folder);
  const manifest = await readManifest(source);
  const service = manifest.service ?? null;
  const digest = await digestOfFile(join(source, manifestFile));
  await refuseOtherStorage(context.blobs, service);
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
    for (const { table } of tablesIn(manifest.migration, manifest.tables)) {
      signal.throwIfAborted();
      if (!mayHaveRows.has(table)) await refuseFilled(tx, table);
      for await (const rows of readLines<Row>(join(source, tableFile(table)))) {
        signal.throwIfAborted();
        await insertRows(tx, table, rows.map(withoutDropped));
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

/**
 * `holdfast migrate` writes a line to the log, a payment provider may have sent an event, and a server without accounts
 * makes a link for its first owner: none of them belongs to an account.
 */
const mayHaveRows: ReadonlySet<BackedUpTable> = new Set(['operator_actions', 'payment_events', 'invitations']);

/**
 * Closed accounts have no files. Deletes those that the backup captured before they were deleted, and those of accounts
 * closed since.
 */
async function emptyClosed(tx: Transaction, now: number): Promise<void> {
  const closed = await tx
    .selectFrom('accounts')
    .select('id')
    // Matches the condition of the index so that the index is used.
    .where(sql<SqlBool>`closed_at IS NOT NULL AND slots_used > 0`)
    .execute();
  for (const { id } of closed) await emptyRows(tx, id, now);
}

async function noteRestore(tx: Transaction, now: number): Promise<void> {
  await beginDaysAnew({ db: tx }, now);
  await writeFact(tx, 'restored', { value: '', at: now });
}

/**
 * Restarts the count of unused days: the backup does not tell what was used since. Call it as well when a later restore
 * brings bytes.
 */
export async function beginDaysAnew({ db }: Pick<Context, 'db'>, now: number): Promise<void> {
  await db.updateTable('accounts').set({ last_active_at: now }).where('closed_at', 'is', null).execute();
  const withAutoDelete = db.selectFrom('accounts').select('id').where('inactivity_auto_delete_days', '>', 0);
  await db.updateTable('files').set({ returned_at: now }).where('account_id', 'in', withAutoDelete).execute();
}

/** Details of a restore in the audit log. */
interface RestoredLast {
  /** SHA-256 of the manifest. */
  readonly backup: string;
  readonly deletions: number | null;
  /** SHA-256 of the list of deletions; null if there was none beside the backup. */
  readonly list?: string | null;
}

async function restoredLast(db: Database): Promise<RestoredLast | null> {
  const rows = await db
    .selectFrom('operator_actions')
    .select('details')
    .where('action', '=', 'restore')
    .orderBy('id', 'desc')
    .execute();
  // Dropped files have a line of their own in the log.
  return rows.map(({ details }) => JSON.parse(details) as Partial<RestoredLast>).find(isOfRows) ?? null;
}

const isOfRows = (details: Partial<RestoredLast>): details is RestoredLast => details.backup !== undefined;

/**
 * Migrations after this one have only added columns with a default, tables and indexes, and renamed columns, so older
 * rows still fit: see `currentColumn`.
 */
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

/** Columns of older backups that exist no longer. */
const withoutDropped = ({ previous: _previous, hash: _hash, unknown_since: _since, ...row }: Row): Row => row;

async function refuseFilled(tx: Transaction, table: BackedUpTable): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(tx);
  if (rows.length > 0)
    throw new UnusableBackup(`The database is not empty: ${table} has rows. Restore into a new one.`);
}

async function insertRows(tx: Transaction, table: BackedUpTable, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`
    INSERT INTO ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(currentColumn(column))))})
    VALUES ${sql.join(values)}
    ${mayHaveRows.has(table) ? sql`ON CONFLICT DO NOTHING` : sql``}`.execute(tx);
}
