import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import type { BlobId } from '../../storage/blobs/blobs.ts';
import { serviceIdFact } from '../../storage/blobs/storage-owner.ts';
import type { Database } from '../../storage/db/database.ts';
import { readFact } from '../../storage/db/service-facts.ts';
import { days } from '../../lib/clock.ts';
import { copyDatabaseFile, openBlobFolder, openBlobLookUp, openDatabaseCopy } from '../../open-engines.ts';
import { copyBlobs, type CopiedBlobs } from './copy-blobs.ts';
import { copyRows } from './copy-rows.ts';
import { writeDeletions } from './deletions.ts';
import {
  blobFolder,
  databaseFile,
  digestOfFile,
  findBackups,
  type FoundBackup,
  type Manifest,
  manifestFile,
  secretFile,
  sync,
  UnusableBackup,
  writeSynced,
} from './manifest.ts';
import { restoredTables } from './tables.ts';

export interface BackUpOptions {
  readonly signal: AbortSignal;
  readonly withBytes: boolean;
  /** Earlier backups that are older than this many days are removed. */
  readonly keepDays: number;
  readonly onRows: (rows: number) => void;
  readonly onBlobs: (blobs: number) => void;
}

export interface BackedUp {
  readonly path: string;
  readonly manifest: Manifest;
  /** Null if the bytes were left out. */
  readonly blobs: CopiedBlobs | null;
}

/** Each run reads this part of the blobs that are there already, so that damage shows within as many runs. */
const partsToCheck = 30;

/**
 * Adds a backup to the folder `root`: a consistent copy of the database, the secret key, and the bytes that no earlier
 * backup there has. It appears complete or not at all, and earlier ones are not changed.
 * @throws {UnusableBackup} when the folder has backups of another service, or those of this one before it was emptied.
 */
export async function backUp(context: Context, root: string, options: BackUpOptions): Promise<BackedUp> {
  const { db, clock } = context;
  await mkdir(root, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const earlier = await findBackups(root);
  // It has what a killed run has left.
  const part = join(root, 'unfinished');
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { mode: 0o700 });
  const takenAt = clock.now();
  const copy = join(part, databaseFile);
  await copyDatabase(context, copy, options);
  const { facts, blobs } = await withCopy(copy, context, async (rows) => {
    const found = await factsOf(rows);
    refuseToReplace(earlier.at(-1), found);
    const kept = await removeOld(earlier, takenAt - days(options.keepDays));
    return { facts: found, blobs: options.withBytes ? await copyBytes(context, root, rows, kept, options) : null };
  });
  await copySecret(context, part);
  await sync(copy);
  const run = (earlier.at(-1)?.manifest.run ?? 0) + 1;
  const manifest: Manifest = { format: 2, taken_at: takenAt, ...facts, database: await digestOfFile(copy), run };
  await writeSynced(join(part, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
  await sync(part);
  const path = join(root, new Date(takenAt).toISOString().replaceAll(':', '-'));
  await rename(part, path);
  await sync(root);
  await writeDeletions({ db }, root);
  return { path, manifest, blobs };
}

async function copyDatabase(context: Context, target: string, { signal, onRows }: BackUpOptions): Promise<void> {
  if (await copyDatabaseFile(context.config, target)) return;
  await withCopy(target, context, (copy) =>
    context.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((snapshot) =>
        copy.transaction().execute(async (tx) => {
          await copyRows(snapshot, tx, restoredTables, { signal, onProgress: onRows });
          const id = await readFact(snapshot, serviceIdFact);
          if (id)
            await tx
              .insertInto('service_facts')
              .values({ name: serviceIdFact, ...id })
              .execute();
        }),
      ),
  );
}

async function withCopy<T>(path: string, { log }: Context, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabaseCopy(path, log);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

type Facts = Pick<Manifest, 'migration' | 'service' | 'accounts'>;

async function factsOf(db: Database): Promise<Facts> {
  const newest = db.selectFrom('migrations').select('name').orderBy('name', 'desc').limit(1);
  const { name } = await newest.executeTakeFirstOrThrow();
  const accounts = db.selectFrom('accounts').select((eb) => eb.fn.countAll<number>().as('accounts'));
  const service = (await readFact(db, serviceIdFact))?.value ?? null;
  return { migration: name, service, ...(await accounts.executeTakeFirstOrThrow()) };
}

function refuseToReplace(newest: FoundBackup | undefined, { service, accounts }: Facts): void {
  if (!newest) return;
  if (newest.manifest.service !== null && newest.manifest.service !== service)
    throw new UnusableBackup(`${newest.root} has backups of another service. Name another folder.`);
  if (newest.manifest.accounts > 0 && accounts === 0)
    throw new UnusableBackup(
      `This service has no accounts, and the backup ${newest.path} has ${newest.manifest.accounts}. Restore that one, or name another folder.`,
    );
}

/** Returns the backups that are left. The newest is never removed. */
async function removeOld(earlier: readonly FoundBackup[], before: number): Promise<readonly FoundBackup[]> {
  const isOld = ({ manifest }: FoundBackup) => manifest.taken_at < before;
  const old = earlier.slice(0, -1).filter(isOld);
  for (const { path } of old) await rm(path, { recursive: true });
  return earlier.filter((each) => !old.includes(each));
}

async function copyBytes(
  { db, blobs }: Context,
  root: string,
  rows: Database,
  kept: readonly FoundBackup[],
  { signal, onBlobs }: BackUpOptions,
): Promise<CopiedBlobs> {
  await using pool = await openBlobFolder(join(root, blobFolder));
  await pool.sweepUnfinished(Date.now() - days(1));
  using opened = new DisposableStack();
  const others = kept.map(({ path }) => opened.use(openBlobLookUp(join(path, databaseFile))));
  const part = (kept.at(-1)?.manifest.run ?? 0) % partsToCheck;
  return await copyBlobs(rows, blobs, pool, {
    live: db,
    signal,
    onProgress: onBlobs,
    checksAgain: (id: BlobId) => Number.parseInt(id.slice(-8), 16) % partsToCheck === part,
    onOther: async (id) => {
      if (!others.some((copy) => copy.has(id))) await pool.remove(id);
    },
  });
}

/** Without the secret key, API keys cannot be shown again. If it is in a variable, the operator keeps it. */
async function copySecret({ config }: Context, folder: string): Promise<void> {
  if (config.secretKey !== null) return;
  await copyFile(join(config.dataDir, secretFile), join(folder, secretFile));
  await sync(join(folder, secretFile));
}
