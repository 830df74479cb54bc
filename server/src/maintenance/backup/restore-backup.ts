import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { type Actor, recordAction } from '../../accounts/record-action.ts';
import type { Context } from '../../context.ts';
import type { Database, Transaction } from '../../engines/database/database.ts';
import { digestOfFile, readLines } from './lines-file.ts';
import { checkTables, type Manifest, manifestFile, readManifest, tableFile, UnusableBackup } from './manifest.ts';
import { repeatDeletions } from './repeat-deletions.ts';
import { backedUp, type Row } from './tables.ts';

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
}

/**
 * Puts the rows of a backup into an empty database, in one transaction, and does again what was deleted after it was
 * taken. Nobody is signed in afterwards. Where the rows of this backup are back already, they are left alone: a restore
 * whose bytes were not all brought can be given again.
 * @throws {UnusableBackup} when it is damaged, from another version, or the database is not empty.
 */
export async function restoreBackup(
  { db, clock }: Context,
  folder: string,
  { actor, signal, onProgress }: RestoreOptions,
): Promise<Restored> {
  const source = resolve(folder);
  const manifest = await readManifest(source);
  const digest = await digestOfFile(join(source, manifestFile));
  const earlier = await restoredLast(db);
  if (earlier?.backup === digest) return { manifest, deletions: earlier.deletions, wasBack: true };
  await checkTables(source, manifest);
  let done = 0;
  const deletions = await db.transaction().execute(async (tx) => {
    await refuseOtherVersion(tx, manifest);
    for (const { table } of backedUp) {
      signal.throwIfAborted();
      await refuseFilled(tx, table);
      for await (const rows of readLines<Row>(join(source, tableFile(table)))) {
        signal.throwIfAborted();
        await insertRows(tx, table, rows);
        onProgress?.((done += rows.length));
      }
    }
    const repeated = await repeatDeletions(tx, source, clock.now(), signal);
    const details = { backup: digest, deletions: repeated } satisfies RestoredLast;
    await recordAction({ db: tx, clock }, actor, { subject: source, details });
    return repeated;
  });
  return { manifest, deletions, wasBack: false };
}

/** What the audit log tells of a restore. */
interface RestoredLast {
  /** SHA-256 of the manifest. */
  readonly backup: string;
  readonly deletions: number | null;
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

async function refuseOtherVersion(tx: Transaction, { migration }: Manifest): Promise<void> {
  const newest = await tx.selectFrom('migrations').select('name').orderBy('name', 'desc').limit(1).executeTakeFirst();
  if (newest?.name !== migration)
    throw new UnusableBackup(
      `The backup was taken at ${migration}, and this program is at ${newest?.name ?? 'nothing'}. ` +
        'Restore it with the version that took it, and then run the newer one.',
    );
}

async function refuseFilled(tx: Transaction, table: (typeof backedUp)[number]['table']): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(tx);
  if (rows.length > 0)
    throw new UnusableBackup(`The database is not empty: ${table} has rows. Restore into a new one.`);
}

async function insertRows(tx: Transaction, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`
    INSERT INTO ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    VALUES ${sql.join(values)}`.execute(tx);
}
