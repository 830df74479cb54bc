import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context } from '../../context.ts';
import { days } from '../../lib/clock.ts';
import { openDiskBlobs, serviceIdName } from '../../storage/blobs/disk.ts';
import { copySqlite, openBlobLookUp, openSqlite } from '../../storage/db/sqlite.ts';
import { requireOwnStorage, serviceIdFact } from '../../storage/blobs/storage-owner.ts';
import type { Database } from '../../storage/db/database.ts';
import { readSnapshot } from '../../storage/db/read-snapshot.ts';
import { backupFolderFact, readFact, writeFact } from '../../storage/db/service-facts.ts';
import { copyBlobs } from './copy-blobs.ts';
import { copyFacts, copyRows, restoredTables } from './copy-rows.ts';
import { writeDeletions } from './deletions.ts';
import { ensureLife, readLives, requireOwn } from './lives.ts';
import {
  blobFolder,
  digestOfFile,
  filesIn,
  findBackups,
  type FoundBackup,
  type Manifest,
  type Running,
  sync,
  UnusableBackup,
  writeSynced,
} from './manifest.ts';

export interface BackUpOptions extends Running {
  readonly withBytes: boolean;
  readonly keepDays: number;
}

/**
 * Adds a backup to the folder `root`. It appears complete or not at all, and earlier ones are not changed.
 * @throws {UnusableBackup} when the folder has backups of another service, or of another database of this one, or is part of a
 * storage.
 */
export async function backUp(context: Context, root: string, options: BackUpOptions) {
  // The copy then has the service's id.
  if (options.withBytes) await requireOwnStorage(context);
  await refuseStorage(root);
  await refuseUnmounted(context, root);
  if (!existsSync(root)) await mkdir(root, { mode: 0o700 });
  const earlier = await findBackups(root);
  const newest = earlier.at(-1);
  const part = join(root, 'unfinished');
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { mode: 0o700 });
  const takenAt = context.clock.now();
  const { database, secret, manifest: manifestFile } = filesIn(part);
  await ensureLife(context.db, takenAt);
  await copyDatabase(context, database, options);
  const { facts, blobs } = await readCopy(context, database, async (rows) => {
    const found = await factsOf(rows);
    if (newest) await refuseToReplace(newest, rows, found.accounts);
    const kept = await removeOld(earlier, takenAt - days(options.keepDays));
    return { facts: found, blobs: options.withBytes ? await copyBytes(context, root, rows, kept, options) : null };
  });
  // If it is in a variable, the operator keeps it. Without it, API keys cannot be shown again.
  if (context.config.secretKey === null) await copyFile(join(context.config.dataDir, 'secret.key'), secret);
  for (const file of [secret, database]) if (existsSync(file)) await sync(file);
  const run = (newest?.manifest.run ?? 0) + 1;
  const withBytes = bytesRuns(newest) + (blobs ? 1 : 0);
  const manifest: Manifest = {
    format: 2,
    taken_at: takenAt,
    ...facts,
    database: await digestOfFile(database),
    run,
    with_bytes: withBytes,
  };
  await writeSynced(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
  await sync(part);
  const path = join(root, new Date(takenAt).toISOString().replaceAll(':', '-'));
  await rename(part, path);
  await sync(root);
  await writeDeletions(context, root);
  await noteFolder(context, root);
  return { path, manifest, blobs };
}

/** A run deletes from the folder's `blobs` what no backup needs. The mark shows a storage behind links and mounts too. */
async function refuseStorage(root: string): Promise<void> {
  for (const folder of [root, blobFolder(root)])
    for (const each of upwards(await realFolder(folder)))
      if (existsSync(join(each, serviceIdName)))
        throw new UnusableBackup(
          `${each} is the storage of a service, as its ${serviceIdName} says. For backups, name a folder that is not in a ` +
            "storage, and whose folder 'blobs' is none.",
        );
}

/** Of one that is missing, the folder that it would be in. */
const realFolder = (path: string): Promise<string> => (existsSync(path) ? realpath(path) : realFolder(dirname(path)));

const upwards = (path: string): readonly string[] =>
  path === dirname(path) ? [path] : [path, ...upwards(dirname(path))];

/** Otherwise, the disk below would be filled with a copy that nobody expects there. */
async function refuseUnmounted({ db }: Context, root: string): Promise<void> {
  const isEmpty = !existsSync(root) || (await readdir(root)).length === 0;
  if (isEmpty && (await readFact(db, backupFolderFact))?.value === root)
    throw new UnusableBackup(
      `${root} had backups, and is empty. Is its disk mounted? To begin anew, make the folder ${blobFolder(root)}.`,
    );
}

async function noteFolder({ db, clock }: Context, root: string): Promise<void> {
  if ((await readFact(db, backupFolderFact))?.value !== root)
    await writeFact(db, backupFolderFact, { value: root, at: clock.now() });
}

/** Each takes its turn at the stored bytes. */
const bytesRuns = (newest?: FoundBackup): number => newest?.manifest.with_bytes ?? newest?.manifest.run ?? 0;

async function copyDatabase(context: Context, target: string, { signal, onRows }: BackUpOptions): Promise<void> {
  const { database } = context.config;
  if (database.engine === 'sqlite') return copySqlite(database.path, target);
  await readCopy(context, target, (copy) =>
    readSnapshot(context.db, (from) =>
      copy.transaction().execute(async (tx) => {
        await copyRows(from, tx, restoredTables, { signal, onProgress: onRows });
        const id = await readFact(from, serviceIdFact);
        if (id) await writeFact(tx, serviceIdFact, id);
        await copyFacts(from, tx);
      }),
    ),
  );
}

/** The copy is closed before its file is synced and hashed. */
async function readCopy<T>({ log }: Context, path: string, work: (db: Database) => Promise<T>): Promise<T> {
  await using db = await openSqlite(path, 'migrate', { log });
  return await work(db);
}

async function factsOf(db: Database): Promise<Pick<Manifest, 'service' | 'life' | 'accounts'>> {
  const accounts = db.selectFrom('accounts').select((eb) => eb.fn.countAll<number>().as('accounts'));
  const service = (await readFact(db, serviceIdFact))?.value ?? null;
  const life = (await readLives(db))?.own;
  return { service, life, ...(await accounts.executeTakeFirstOrThrow()) };
}

async function refuseToReplace(newest: FoundBackup, rows: Database, found: number): Promise<void> {
  const { accounts } = newest.manifest;
  if (accounts > 0 && found === 0)
    throw new UnusableBackup(
      `This service has no accounts, and the backup ${newest.path} has ${accounts}. Restore that one, or name another folder.`,
    );
  await requireOwn(newest, rows);
}

/** One more than is added in a run, so that a clock that is wrong for some days costs few. */
const mostRemoved = 2;

async function removeOld(earlier: readonly FoundBackup[], before: number): Promise<readonly FoundBackup[]> {
  const old = earlier
    .slice(0, -1)
    .filter(({ manifest }) => manifest.taken_at < before)
    .slice(0, mostRemoved);
  for (const { path } of old) await rm(path, { recursive: true });
  return earlier.filter((each) => !old.includes(each));
}

async function copyBytes(
  context: Context,
  root: string,
  rows: Database,
  kept: readonly FoundBackup[],
  { signal, onBlobs }: BackUpOptions,
) {
  const { db, blobs } = context;
  await using pool = await openDiskBlobs(blobFolder(root));
  await pool.sweepUnfinished(Date.now() - days(1));
  using opened = new DisposableStack();
  const others = kept.map(({ database }) => opened.use(openBlobLookUp(database)));
  return await copyBlobs(rows, blobs, pool, {
    live: db,
    signal,
    onProgress: onBlobs,
    run: bytesRuns(kept.at(-1)),
    onOther: async (id) => {
      if (!others.some((copy) => copy.has(id))) await pool.remove(id);
    },
  });
}
