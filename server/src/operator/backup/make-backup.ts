import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import type { BlobId } from '../../engines/blobs/blobs.ts';
import type { Transaction } from '../../engines/database/database.ts';
import { readFact } from '../../engines/database/service-facts.ts';
import { checkLines, writeLines } from './lines-file.ts';
import {
  blobListFile,
  type Manifest,
  manifestFile,
  partOf,
  secretFile,
  tableFile,
  UnusableBackup,
} from './manifest.ts';
import { serviceIdFact } from '../../engines/blobs/storage-owner.ts';
import { isNeeded } from './needed-blobs.ts';
import { readRows } from './read-rows.ts';
import { backedUp, type Row } from './tables.ts';

export interface BackupOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (rows: number) => void;
}

/**
 * Writes a consistent snapshot of the database into a new folder while others keep changing the database, with the
 * secret key and the list of the blobs that its files need. The folder appears complete or not at all: each table is
 * read back before the folder gets its name. Deleted bytes are kept for a day, which leaves a day to copy the blobs of
 * the list.
 * @throws {UnusableBackup} when the folder already exists, its parent does not, or another backup is writing it.
 */
export async function makeBackup(context: Context, folder: string, options: BackupOptions): Promise<Manifest> {
  const target = resolve(folder);
  const part = partOf(target);
  await refuseExisting(target);
  await claim(part);
  try {
    const manifest = await context.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => writeTables(context, tx, part, options));
    await readBack(part, manifest, options.signal);
    await copySecret(context, part);
    await writeSynced(join(part, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
    await sync(part);
    await rename(part, target);
    await sync(dirname(target));
    return manifest;
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

async function refuseExisting(target: string): Promise<void> {
  const found = await open(target).catch(() => null);
  await found?.close();
  if (found) throw new UnusableBackup(`${target} already exists. A backup needs a new folder.`);
}

/**
 * If two backups start at once, one gets the folder. A folder left by a killed backup may belong to one that is still
 * writing, so it is left alone.
 */
async function claim(part: string): Promise<void> {
  try {
    await mkdir(part, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UnusableBackup(`There is no folder ${dirname(part)}. Create it first.`, error);
    if (code === 'EEXIST')
      throw new UnusableBackup(
        `${part} exists: a backup is writing it, or was killed. If none is running, remove it and start again.`,
        error,
      );
    throw error;
  }
}

async function writeTables(
  { clock, blobs: storage }: Context,
  tx: Transaction,
  folder: string,
  { signal, onProgress }: BackupOptions,
): Promise<Manifest> {
  const tables: Manifest['tables'] = {};
  const blobs = { count: 0, bytes: 0 };
  let done = 0;
  await using list = await open(join(folder, blobListFile), 'wx', 0o600);
  // The first query fixes the snapshot for all later ones; a time read from the clock before it is never too late.
  const takenAt = clock.now();
  const { name } = await tx
    .selectFrom('migrations')
    .select('name')
    .orderBy('name', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  for (const each of backedUp) {
    async function* pages() {
      for await (const rows of readRows(tx, each, signal)) {
        if (each.table === 'blobs') await listNeeded(rows);
        yield rows;
        onProgress?.((done += rows.length));
      }
    }
    tables[each.table] = await writeLines(join(folder, tableFile(each.table)), pages());
  }
  await list.sync();
  const service = await readFact(tx, serviceIdFact);
  return { format: 1, taken_at: takenAt, migration: name, ...(service && { service: service.value }), tables, blobs };

  async function listNeeded(rows: readonly Row[]) {
    const ids = rows.map((row) => String(row['id']) as BlobId);
    const needed = await tx
      .selectFrom('blobs')
      .select(['id', 'size'])
      .where('id', 'in', ids)
      .where(isNeeded)
      .orderBy('id')
      .execute();
    blobs.count += needed.length;
    blobs.bytes += needed.reduce((sum, { size }) => sum + size, 0);
    await list.write(needed.map(({ id }) => `${storage.pathOf(id)}\n`).join(''));
  }
}

/** Verifies the backup now, because an unreadable one would otherwise be found only when it is needed. */
async function readBack(folder: string, { tables }: Manifest, signal: AbortSignal): Promise<void> {
  for (const [table, written] of Object.entries(tables)) {
    signal.throwIfAborted();
    await checkLines(join(folder, tableFile(table)), written);
  }
}

/** Without the secret key, API keys cannot be shown again. If it comes from a variable, the operator keeps it. */
async function copySecret({ config }: Context, folder: string): Promise<void> {
  if (config.secretKey !== null) return;
  await copyFile(join(config.dataDir, secretFile), join(folder, secretFile));
  await sync(join(folder, secretFile));
}

async function writeSynced(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
}

async function sync(path: string): Promise<void> {
  await using opened = await open(path);
  await opened.sync();
}
