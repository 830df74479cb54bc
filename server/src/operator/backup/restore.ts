import { existsSync } from 'node:fs';
import { copyFile, mkdtempDisposable, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import { openDiskBlobs } from '../../storage/blobs/disk.ts';
import { openSqlite } from '../../storage/db/sqlite.ts';
import { refuseOtherStorage, serviceIdFact, takeStorage } from '../../storage/blobs/storage-owner.ts';
import type { Database, Transaction } from '../../storage/db/database.ts';
import { type Actor, recordAction } from '../../storage/db/record-action.ts';
import { writeFact } from '../../storage/db/service-facts.ts';
import { copyBlobs } from './copy-blobs.ts';
import { copyFacts, copyRows, restoredTables } from './copy-rows.ts';
import { repeatDeletions } from './deletions.ts';
import { beginLife } from './lives.ts';
import {
  blobFolder,
  digestOfFile,
  findBackups,
  type FoundBackup,
  type Running,
  UnusableBackup,
  writeSynced,
} from './manifest.ts';

interface RestoreOptions extends Running {
  readonly actor: Actor;
}

/**
 * A run that was stopped can be repeated: then `deletions`, the number of accounts closed and digests blocked after the
 * backup, is null.
 * @throws {UnusableBackup} when it is damaged, or the database is in use.
 */
export async function restoreBackup(context: Context, backup: FoundBackup, options: RestoreOptions) {
  const { db, blobs } = context;
  const { root, manifest } = backup;
  await refuseOtherStorage(blobs, manifest.service);
  const isRepeated = await wasRestored(db, manifest.database);
  const deletions = isRepeated ? null : await restoreRows(context, backup, options);
  await takeStorage(context);
  const bytes = blobFolder(root);
  // Without them, the blobs that the storage lacks are counted.
  await using pool = existsSync(bytes) ? await openDiskBlobs(bytes) : null;
  const { signal, onBlobs: onProgress } = options;
  return { deletions, blobs: await copyBlobs(db, pool ?? blobs, blobs, { live: db, signal, onProgress }) };
}

async function wasRestored(db: Database, digest: string): Promise<boolean> {
  const restores = db.selectFrom('operator_actions').select('details').where('action', '=', 'restore');
  const last = await restores.orderBy('id', 'desc').limit(1).executeTakeFirst();
  return last !== undefined && (JSON.parse(last.details) as { backup?: string }).backup === digest;
}

async function restoreRows(
  context: Context,
  backup: FoundBackup,
  { actor, signal, onRows: onProgress }: RestoreOptions,
): Promise<number> {
  const { config, db, clock, log } = context;
  const { root, path, database, secret, manifest } = backup;
  if ((await digestOfFile(database)) !== manifest.database)
    throw new UnusableBackup(`${database} is damaged: its digest differs from the manifest.`);
  // The backup itself stays as it is, and may be of an earlier version.
  await using folder = await mkdtempDisposable(join(config.dataDir, 'restoring-'));
  await copyFile(database, join(folder.path, 'copy.db'));
  await using copy = await openSqlite(join(folder.path, 'copy.db'), 'migrate', { log });
  return await db.transaction().execute(async (tx) => {
    await refuseFilled(tx);
    await placeSecret(config, secret);
    await copyRows(copy, tx, restoredTables, { signal, onProgress });
    await copyFacts(copy, tx);
    if (manifest.service) await writeFact(tx, serviceIdFact, { value: manifest.service, at: 0 });
    const now = clock.now();
    // One that cannot be read must not prevent the restore of another.
    await beginLife(tx, await findBackups(root).catch(() => [backup]), now);
    const repeated = await repeatDeletions(tx, root, now);
    await beginAnew(tx, now);
    const details = { backup: manifest.database, deletions: repeated };
    await recordAction({ db: tx, clock }, actor, { subject: path, details });
    return repeated;
  });
}

/** Even an empty service may have audit entries, payment events and a link for its owner. */
async function refuseFilled(tx: Transaction): Promise<void> {
  await tx.deleteFrom('invitations').where('for_owner', '=', 1).execute();
  await tx.deleteFrom('payment_events').execute();
  for (const table of Object.keys(restoredTables).filter((name) => name !== 'operator_actions')) {
    const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(tx);
    if (rows.length > 0)
      throw new UnusableBackup(`The database is not empty: ${table} has rows. Restore into a new one.`);
  }
}

/** The API keys are sealed with the backup's secret key. Nothing needs the one that is there, which is set aside. */
async function placeSecret({ secretKey, dataDir }: Config, source: string): Promise<void> {
  const target = join(dataDir, 'secret.key');
  const saved = await readIfThere(source);
  if (saved === null && secretKey === null)
    throw new UnusableBackup(`There is no ${source}: it was in SECRET_KEY when the backup was made. Set it first.`);
  if (saved !== null && secretKey !== null && saved !== secretKey)
    throw new UnusableBackup(`SECRET_KEY is not the secret key of the backup. Set it to what is in ${source}.`);
  if (saved === null || secretKey !== null || (await readIfThere(target)) === saved) return;
  // Another restore may have set one aside before.
  const aside = `${target}.before-restore`;
  if (existsSync(target)) await rename(target, existsSync(aside) ? `${aside}.${Date.now()}` : aside);
  await writeSynced(target, saved);
}

const readIfThere = async (path: string) => (existsSync(path) ? (await readFile(path, 'utf8')).trim() : null);

/** Nothing could be used while the service was away. */
async function beginAnew(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('invitations').where('for_owner', '=', 1).execute();
  await tx.updateTable('files').set({ returned_at: now }).where('deleted_at', 'is', null).execute();
  await tx
    .updateTable('accounts')
    .set({ last_active_at: now, first_warned_at: 0, last_warned_at: 0, warning_failed_at: 0 })
    .where('closed_at', 'is', null)
    .execute();
}
