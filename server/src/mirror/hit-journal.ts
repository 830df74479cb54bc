/**
 * Hits on the disk of a node that serves public links, until the primary database has counted them. Each process has a
 * folder with a lock, which says that it lives, and numbered files. A file is one batch: it is sent whole, in the order of
 * the numbers, once no more lines are added to it.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { addTally, type Tallies, type Tally } from '../delivery/hits.ts';
import { kernelId, type ProcessLock, takeLock } from '../engines/blobs/process-lock.ts';
import { minutes } from '../lib/clock.ts';

/** About 1,700 lines, which one transaction counts in a few milliseconds. */
const batchBytes = 64 * 1024;
/** A process of another machine that shares the folder, or one before a restart of this machine, shows that it lives. */
const abandonedAfter = minutes(10);
const lockName = 'lock';

/** A batch whose lines no longer change. */
export interface KeptBatch {
  readonly number: number;
  /** On the disk. */
  readonly bytes: number;
  read(): Promise<Tallies>;
  remove(): Promise<void>;
}

export interface HitJournal {
  /** The primary knows it by this id. */
  readonly id: string;
  /** In the order of their numbers. */
  readonly batches: KeptBatch[];
  /** Removes the folder of a journal without batches. */
  remove(): Promise<void>;
  /** Leaves what it has to other processes. */
  leave(): void;
}

export interface OwnJournal extends HitJournal {
  /** Adds lines to the batch under way and returns their bytes. When it rejects, none were added. */
  append(tallies: Tallies): Promise<number>;
  /** Ends the batch under way, so that it can be sent. */
  endBatch(): Promise<void>;
  /** The number of a batch that is sent from the memory. */
  nextNumber(): number;
  /** Makes all lines survive a power cut that are not sent yet. Others may be added meanwhile. */
  sync(): Promise<void>;
  /** Shows processes of other machines that this one lives. */
  renew(): Promise<void>;
}

/** Begins the journal of this process in the folder `root`. */
export async function beginJournal(root: string): Promise<OwnJournal> {
  const { id, folder, lock } = await claimFolder(root);
  const batches: KeptBatch[] = [];
  const unsynced = new Set<number>();
  let number = 0;
  let file: FileHandle | null = null;
  let bytes = 0;
  const endBatch = async () => {
    if (!file) return;
    const ended = file;
    file = null;
    batches.push(batchIn(folder, number, bytes));
    await ended.close();
  };
  return {
    id,
    batches,
    endBatch,
    nextNumber: () => (number += 1),
    async append(tallies) {
      const text = [...tallies].map(([fileId, tally]) => lineOf(fileId, tally)).join('');
      if (!file) {
        file = await open(pathOf(folder, number + 1), 'ax', 0o600);
        number += 1;
        bytes = 0;
      }
      try {
        await file.appendFile(text);
      } catch (error) {
        // A part of the lines may have been written, and they will be added again.
        await file.truncate(bytes);
        throw error;
      }
      bytes += text.length;
      unsynced.add(number);
      if (bytes >= batchBytes) await endBatch();
      return text.length;
    },
    async sync() {
      const numbers = [...unsynced];
      unsynced.clear();
      for (const each of numbers) await syncPath(pathOf(folder, each));
      if (numbers.length > 0) await syncPath(folder);
    },
    async renew() {
      const now = new Date();
      await utimes(join(folder, lockName), now, now);
    },
    async remove() {
      await rm(folder, { recursive: true, force: true });
      lock.release();
    },
    leave: () => lock.leave(),
  };
}

/** Takes over the journals of processes that ended without sending all of their batches. */
export async function adoptJournals(root: string, own: string): Promise<HitJournal[]> {
  const kernel = kernelId();
  const adopted: HitJournal[] = [];
  for (const id of await readdir(root)) {
    if (id === own) continue;
    const folder = join(root, id);
    const lock = await lockOfDead(folder, kernel !== null && id.startsWith(`${kernel}_`));
    if (!lock) continue;
    adopted.push({
      id,
      batches: await batchesIn(folder),
      async remove() {
        await rm(folder, { recursive: true, force: true });
        lock.release();
      },
      leave: () => lock.leave(),
    });
  }
  return adopted;
}

async function claimFolder(root: string): Promise<{ id: string; folder: string; lock: ProcessLock }> {
  for (;;) {
    const id = `${kernelId() ?? 'unknown'}_${randomUUID()}`;
    const folder = join(root, id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = takeLock(join(folder, lockName), { create: true });
    if (lock === 'unknown') throw new Error(`files in ${root} cannot be locked`);
    // Another process has just looked whether the owner of this folder lives, and may remove it.
    if (lock !== 'held') return { id, folder, lock };
  }
}

/** Locks are sure to be seen between processes of one kernel only. */
async function lockOfDead(folder: string, isOfThisKernel: boolean): Promise<ProcessLock | null> {
  const path = join(folder, lockName);
  if (!isOfThisKernel) {
    const facts = await stat(path).catch(() => null);
    if (!facts || Date.now() - facts.mtimeMs < abandonedAfter) return null;
  }
  const lock = takeLock(path, { create: false });
  return typeof lock === 'string' ? null : lock;
}

async function batchesIn(folder: string): Promise<KeptBatch[]> {
  const numbers = (await readdir(folder)).flatMap((name) => /^(\d+)\.hits$/.exec(name)?.[1] ?? []).map(Number);
  const batches = numbers.map(async (number) => batchIn(folder, number, (await stat(pathOf(folder, number))).size));
  return (await Promise.all(batches)).toSorted((a, b) => a.number - b.number);
}

function batchIn(folder: string, number: number, bytes: number): KeptBatch {
  const path = pathOf(folder, number);
  return {
    number,
    bytes,
    read: async () => talliesIn(await readFile(path, 'utf8')),
    remove: () => rm(path, { force: true }),
  };
}

const pathOf = (folder: string, number: number): string => join(folder, `${number}.hits`);

/** The batch may have been sent, and its file removed, in the meantime. */
async function syncPath(path: string): Promise<void> {
  await using file = await open(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  await file?.datasync();
}

const lineOf = (fileId: string, { hits, lastAccessedAt }: Tally): string => `${fileId} ${hits} ${lastAccessedAt}\n`;

/** The last line of a killed process may be cut off, and then it does not count. */
function talliesIn(text: string): Tallies {
  const tallies: Tallies = new Map();
  for (const [, fileId = '', hits, lastAccessedAt] of text.matchAll(/^(\S{1,64}) (\d{1,9}) (\d{1,15})\n/gm))
    addTally(tallies, fileId, { hits: Number(hits), lastAccessedAt: Number(lastAccessedAt) });
  return tallies;
}
