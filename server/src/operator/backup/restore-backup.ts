import { copyFile, mkdir, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { refuseOtherStorage, takeServiceId } from '../../storage/blobs/storage-owner.ts';
import type { Database, Transaction } from '../../storage/db/database.ts';
import { openBlobFolder, openDatabaseCopy } from '../../open-engines.ts';
import { type Actor, recordAction } from '../record-action.ts';
import { type CopiedBlobs, copyBlobs } from './copy-blobs.ts';
import { copyRows } from './copy-rows.ts';
import { repeatDeletions } from './deletions.ts';
import { blobFolder, databaseFile, digestOfFile, type FoundBackup, UnusableBackup } from './manifest.ts';
import { restoredTables } from './tables.ts';

export interface RestoreOptions {
  readonly actor: Actor;
  readonly signal: AbortSignal;
  readonly onRows?: (rows: number) => void;
  readonly onBlobs?: (blobs: number) => void;
}

export interface Restored {
  /** Accounts closed and digests blocked after the backup; null if an earlier run had restored the rows. */
  readonly deletions: number | null;
  readonly blobs: CopiedBlobs;
}

/**
 * Restores a backup into a database without accounts: the rows in one transaction, with what no restore may undo, and
 * then the bytes that the storage lacks. A run that was stopped can be repeated.
 * @throws {UnusableBackup} when it is damaged, or the database is in use.
 * @throws {OtherStorage} when the storage belongs to another service.
 */
export async function restoreBackup(
  context: Context,
  backup: FoundBackup,
  { actor, signal, onRows, onBlobs }: RestoreOptions,
): Promise<Restored> {
  const { db, blobs, clock } = context;
  const { root, path, manifest } = backup;
  const source = join(path, databaseFile);
  await refuseOtherStorage(blobs, manifest.service);
  let deletions: number | null = null;
  if (!(await wasRestored(db, manifest.database))) {
    if ((await digestOfFile(source)) !== manifest.database)
      throw new UnusableBackup(`${source} is damaged: its digest differs from the manifest.`);
    deletions = await withMigrated(context, source, (copy) =>
      db.transaction().execute(async (tx) => {
        await refuseFilled(tx);
        await copyRows(copy, tx, restoredTables, { signal, ...(onRows && { onProgress: onRows }) });
        const now = clock.now();
        const repeated = await repeatDeletions(tx, root, now);
        await beginAnew(tx, now);
        const details = { backup: manifest.database, deletions: repeated };
        await recordAction({ db: tx, clock }, actor, { subject: path, details });
        return repeated;
      }),
    );
    await takeServiceId(context, manifest.service);
  }
  const bytes = join(root, blobFolder);
  // Without them, the blobs that the storage lacks are counted.
  await using pool = existsSync(bytes) ? await openBlobFolder(bytes) : null;
  const options = { live: db, signal, ...(onBlobs && { onProgress: onBlobs }) };
  return { deletions, blobs: await copyBlobs(db, pool ?? blobs, blobs, options) };
}

async function wasRestored(db: Database, digest: string): Promise<boolean> {
  const restores = db.selectFrom('operator_actions').select('details').where('action', '=', 'restore');
  const rows = await restores.orderBy('id', 'desc').execute();
  const [last] = rows.map(({ details }) => (JSON.parse(details) as { backup?: string }).backup);
  return last === digest;
}

/** The backup itself stays as it is, and may be of an earlier version. */
async function withMigrated<T>(
  { config, log }: Context,
  source: string,
  work: (copy: Database) => Promise<T>,
): Promise<T> {
  const folder = join(config.dataDir, 'restoring');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const path = join(folder, databaseFile);
    await copyFile(source, path);
    const copy = await openDatabaseCopy(path, log);
    try {
      return await work(copy);
    } finally {
      await copy.destroy();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * `holdfast migrate` writes a line to the audit log, a payment provider may have sent an event, and a server without
 * accounts makes a link for its first owner: none of them belongs to an account.
 */
async function refuseFilled(tx: Transaction): Promise<void> {
  await tx.deleteFrom('invitations').where('for_owner', '=', 1).execute();
  await tx.deleteFrom('payment_events').execute();
  for (const { table } of restoredTables) {
    if (table === 'operator_actions') continue;
    const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(tx);
    if (rows.length > 0)
      throw new UnusableBackup(`The database is not empty: ${table} has rows. Restore into a new one.`);
  }
}

/** No file could be used and nobody could sign in while the service was away, so all periods of disuse begin anew. */
async function beginAnew(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('invitations').where('for_owner', '=', 1).execute();
  await tx.updateTable('files').set({ returned_at: now }).where('deleted_at', 'is', null).execute();
  await tx
    .updateTable('accounts')
    .set({ last_active_at: now, first_warned_at: 0, last_warned_at: 0, warning_failed_at: 0 })
    .where('closed_at', 'is', null)
    .execute();
}
