import { mkdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { LinkContext } from '../context.ts';
import { addTally, type HitCounter, type Tallies } from '../delivery/hits.ts';
import { type Database, DatabaseUnavailable } from '../engines/database/database.ts';
import { minutes, seconds } from '../lib/clock.ts';
import { logSometimes } from '../lib/log-sometimes.ts';
import { createSemaphore } from '../lib/semaphore.ts';
import { countBatch, forgetJournal } from './count-batch.ts';
import { adoptJournals, beginJournal, type HitJournal } from './hit-journal.ts';

const sendEvery = seconds(1);
const lookForOthersEvery = minutes(1);
/** A slow write must not hold up a download for longer. */
const longestWrite = seconds(1);
/** The longest time that the process sends hits at its end. The next one sends the rest. */
const longestEnd = seconds(5);
/** About 25 million downloads, each of another file than the one before. */
const mostBytes = 1024 ** 3;
const filesAtOnce = 1_000;

/** Hits that survive this process until the primary database has counted them. */
export interface KeptHits extends HitCounter {
  readonly state: {
    /** Bytes that wait on the disk. */
    readonly keptBytes: number;
    /** Hits that were dropped, because no more can be kept. */
    readonly lost: number;
    /** Why hits are not kept on the disk, or are dropped; null if all is well. */
    readonly problem: string | null;
  };
}

interface Parts {
  readonly context: Pick<LinkContext, 'clock' | 'log' | 'reports' | 'tally'>;
  readonly primary: Database;
  /** The folder of the journals. */
  readonly root: string;
  readonly most?: number;
}

/**
 * Writes each hit to the disk in the turn of the event loop in which it is counted, and sends all of them to the primary
 * once a second. While that is away they wait on the disk, also those of an earlier process that was killed.
 */
export async function openKeptHits({ context, primary, root, most = mostBytes }: Parts): Promise<KeptHits> {
  const { clock, log, reports, tally: done } = context;
  await mkdir(root, { recursive: true, mode: 0o700 });
  const own = await beginJournal(root);
  let adopted: HitJournal[] = [];
  let buffer: Tallies = new Map();
  let keptBytes = 0;
  let lost = 0;
  let isScheduled = false;
  let diskProblem: string | null = null;
  let isFull = false;
  let closesAt = Infinity;
  const logUnsent = logSometimes(log, 'hits could not be sent to the primary; they are kept on the disk');
  const logUnkept = logSometimes(log, 'hits could not be written to the disk; they are kept in memory');

  /** Changes of the journal run one after the other. */
  const inTurn = createSemaphore(1);
  const drop = (hits: number) => {
    if (!isFull)
      log.error({ keptBytes }, 'ALARM: no more hits can be kept; they are not counted until the primary is back');
    isFull = true;
    lost += hits;
  };
  const add = (fileId: string, hits: number) => {
    if (keptBytes >= most || !addTally(buffer, fileId, { hits, lastAccessedAt: clock.now() })) return drop(hits);
    // While the disk refuses them, once a second is often enough.
    if (isScheduled || diskProblem !== null) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void inTurn(writeBuffer);
    });
  };
  const writeBuffer = async () => {
    while (buffer.size > 0) {
      const some = takeSome(buffer);
      try {
        keptBytes += await own.append(some);
        diskProblem = null;
      } catch (error) {
        for (const [fileId, tally] of some) addTally(buffer, fileId, tally);
        diskProblem = error instanceof Error ? error.message : String(error);
        return logUnkept(error);
      }
    }
  };
  /** Prepares the next batch. Without a working disk it is in memory only. */
  const endBatch = async () => {
    await writeBuffer();
    await own.endBatch();
    if (diskProblem === null || buffer.size === 0 || own.batches.length > 0) return;
    const some = takeSome(buffer);
    own.batches.push({ number: own.nextNumber(), bytes: 0, read: async () => some, remove: async () => {} });
  };
  /** Returns whether all batches of the journal were counted. */
  const sendBatches = async ({ id, batches }: HitJournal): Promise<boolean> => {
    for (let batch = batches[0]; batch; batch = batches[0]) {
      if (performance.now() > closesAt) return false;
      const tallies = await batch.read();
      if (!(await countBatch(primary, { journal: id, batch: batch.number, tallies, now: clock.now() }))) return false;
      batches.shift();
      keptBytes -= batch.bytes;
      isFull &&= keptBytes >= most;
      await batch.remove();
    }
    return true;
  };
  const sendAll = async () => {
    if (diskProblem !== null) await inTurn(writeBuffer);
    await sendBatches(own);
    await inTurn(endBatch);
    await sendBatches(own);
    for (const journal of adopted)
      if (await sendBatches(journal)) {
        adopted = adopted.filter((each) => each !== journal);
        await journal.remove();
        await forgetJournal(primary, journal.id);
      }
  };
  let sending: Promise<void> | null = null;
  const send = (): Promise<void> =>
    (sending ??= sendAll()
      .catch((error: unknown) => {
        logUnsent(error);
        if (!(error instanceof DatabaseUnavailable)) reports.report(error, 'hits');
      })
      // Batches that could not be sent have to survive a power cut as well.
      .then(() => (own.batches.length > 0 ? own.sync() : undefined))
      .catch(logUnkept)
      .finally(() => (sending = null)));
  const flush = async () => {
    await sending;
    await send();
  };
  const lookForOthers = async () => {
    await own.renew();
    for (const journal of await adoptJournals(root, own.id)) {
      adopted.push(journal);
      keptBytes += journal.batches.reduce((sum, { bytes }) => sum + bytes, 0);
    }
  };
  const lookQuietly = () => lookForOthers().catch(logUnsent);
  await lookQuietly();
  const timers = [setInterval(() => void send(), sendEvery), setInterval(() => void lookQuietly(), lookForOthersEvery)];
  return {
    note(fileId) {
      done.downloads += 1;
      add(fileId, 1);
    },
    noteAccess: (fileId) => add(fileId, 0),
    async writeAccess(fileId) {
      add(fileId, 0);
      await Promise.race([flush(), wait(longestWrite, undefined, { ref: false })]);
    },
    flush,
    get state() {
      return { keptBytes, lost, problem: isFull ? 'no more hits can be kept' : diskProblem };
    },
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer);
      closesAt = performance.now() + longestEnd;
      await Promise.race([flush(), wait(longestEnd, undefined, { ref: false })]);
      await inTurn(endBatch).catch(logUnkept);
      for (const journal of adopted) journal.leave();
      if (own.batches.length > 0) return own.leave();
      await own.remove();
      await forgetJournal(primary, own.id).catch(logUnsent);
    },
  };
}

/** Removes some files from the buffer, and returns them. */
function takeSome(buffer: Tallies): Tallies {
  const some: Tallies = new Map([...buffer].slice(0, filesAtOnce));
  for (const fileId of some.keys()) buffer.delete(fileId);
  return some;
}
