import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import { openDiskBlobs } from '../../storage/blobs/disk.ts';
import { openSqlite } from '../../storage/db/sqlite.ts';
import { refuseOtherStorage, takeServiceId } from '../../storage/blobs/storage-owner.ts';
import type { Database, Transaction } from '../../storage/db/database.ts';
import { type Actor, recordAction } from '../audit.ts';
import { copyBlobs } from './copy-blobs.ts';
import { copyRows, restoredTables } from './copy-rows.ts';
import { repeatDeletions } from './deletions.ts';
import {
  blobFolder,
  databaseFile,
  digestOfFile,
  type FoundBackup,
  secretFile,
  UnusableBackup,
  writeSynced,
} from './manifest.ts';

interface RestoreOptions {
  readonly actor: Actor;
  readonly signal: AbortSignal;
  readonly onRows?: (rows: number) => void;
  readonly onBlobs?: (blobs: number) => void;
}

/**
 * Restores the rows in one transaction, and then the bytes that the storage lacks. A run that was stopped can be repeated:
 * then `deletions`, the number of accounts closed and digests blocked after the backup, is null.
 * @throws {UnusableBackup} when it is damaged, or the database is in use.
 */
export async function restoreBackup(
  context: Context,
  { root, path, manifest }: FoundBackup,
  { actor, signal, onRows, onBlobs }: RestoreOptions,
) {
  const { config, db, blobs, clock } = context;
  const source = join(path, databaseFile);
  await refuseOtherStorage(blobs, manifest.service);
  let deletions: number | null = null;
  if (!(await wasRestored(db, manifest.database))) {
    if ((await digestOfFile(source)) !== manifest.database)
      throw new UnusableBackup(`${source} is damaged: its digest differs from the manifest.`);
    await using opened = new AsyncDisposableStack();
    const copy = opened.use(await openMigrated(context, source, opened));
    deletions = await db.transaction().execute(async (tx) => {
      await refuseFilled(tx);
      await placeSecret(config, path);
      await copyRows(copy, tx, restoredTables, { signal, ...(onRows && { onProgress: onRows }) });
      const now = clock.now();
      const repeated = await repeatDeletions(tx, root, now);
      await beginAnew(tx, now);
      const details = { backup: manifest.database, deletions: repeated };
      await recordAction({ db: tx, clock }, actor, { subject: path, details });
      return repeated;
    });
    await takeServiceId(context, manifest.service);
  }
  const bytes = join(root, blobFolder);
  // Without them, the blobs that the storage lacks are counted.
  await using pool = existsSync(bytes) ? await openDiskBlobs(bytes) : null;
  const options = { live: db, signal, ...(onBlobs && { onProgress: onBlobs }) };
  return { deletions, blobs: await copyBlobs(db, pool ?? blobs, blobs, options) };
}

async function wasRestored(db: Database, digest: string): Promise<boolean> {
  const restores = db.selectFrom('operator_actions').select('details').where('action', '=', 'restore');
  const last = await restores.orderBy('id', 'desc').limit(1).executeTakeFirst();
  return last !== undefined && (JSON.parse(last.details) as { backup?: string }).backup === digest;
}

/** The backup itself stays as it is, and may be of an earlier version. */
async function openMigrated({ config, log }: Context, source: string, opened: AsyncDisposableStack) {
  const folder = join(config.dataDir, 'restoring');
  const remove = () => rm(folder, { recursive: true, force: true });
  await remove();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  opened.defer(remove);
  await copyFile(source, join(folder, databaseFile));
  return openSqlite(join(folder, databaseFile), 'migrate', { log });
}

/** A service without accounts may have entries in the audit log, events of a payment provider and a link for its owner. */
async function refuseFilled(tx: Transaction): Promise<void> {
  await tx.deleteFrom('invitations').where('for_owner', '=', 1).execute();
  await tx.deleteFrom('payment_events').execute();
  for (const table of Object.keys(restoredTables).filter((name) => name !== 'operator_actions')) {
    const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(tx);
    if (rows.length > 0)
      throw new UnusableBackup(`The database is not empty: ${table} has rows. Restore into a new one.`);
  }
}

/**
 * Puts the backup's secret key where the server looks for it, because the API keys are sealed with it. Nothing in an
 * empty database needs the key that is there, which is set aside.
 */
async function placeSecret({ secretKey, dataDir }: Config, folder: string): Promise<void> {
  const source = join(folder, secretFile);
  const saved = await readIfThere(source);
  if (saved === null && secretKey === null)
    throw new UnusableBackup(
      `${folder} has no secret key: it was in SECRET_KEY when the backup was made. Set it first.`,
    );
  if (saved !== null && secretKey !== null && saved !== secretKey)
    throw new UnusableBackup(`SECRET_KEY is not the secret key of the backup. Set it to what is in ${source}.`);
  const target = join(dataDir, secretFile);
  if (saved === null || secretKey !== null || (await readIfThere(target)) === saved) return;
  if (existsSync(target)) await rename(target, `${target}.before-restore`);
  await writeSynced(target, saved);
}

async function readIfThere(path: string): Promise<string | null> {
  return existsSync(path) ? (await readFile(path, 'utf8')).trim() : null;
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
