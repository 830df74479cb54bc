/** What a parent does for all of its workers: it passes questions and changes on, and sums up. */
import type { AllReports, Measures, Reports, Tally } from '../engines/parent/parent.ts';
import { seconds } from '../lib/clock.ts';
import type { Shared, Worker } from './start-worker.ts';

/** Longer than a worker checks whether it is ready. */
const patience = seconds(4);

/** The workers that exist, by what they are there for. */
export interface Present {
  /** One for each number; null while it is started again. */
  serving(): readonly (Worker | null)[];
  /** All that run, also those that are ending. */
  running(): readonly Worker[];
}

export function createSharedWork(present: Present): (worker: Worker) => Shared {
  const tallies = createTallies();
  const ask = async (worker: Worker, of: keyof Reports): Promise<unknown> => {
    const report = await inTime(worker.call('report', { of }));
    if (of === 'metrics' && report) tallies.note(worker, (report as Measures).tally);
    return report;
  };
  const reports = async (of: keyof Reports): Promise<AllReports> => {
    const serving = present.serving();
    const ending = present.running().filter((worker) => !serving.includes(worker));
    const asked = serving.map(async (worker) => worker && ask(worker, of));
    await Promise.all(ending.map((worker) => ask(worker, of)));
    const found = await Promise.all(asked);
    return { workers: found.map((report, at) => ({ number: at + 1, report })), tally: tallies.sum() };
  };
  return (worker) => ({
    reports: ({ of }) => reports(of),
    changed({ ids }) {
      for (const other of present.running()) if (other !== worker) other.call('changed', { ids }).catch(() => {});
      return null;
    },
    ends({ tally }) {
      tallies.note(worker, tally);
      return null;
    },
  });
}

/** Returns null if there is no reply in time. */
async function inTime(asked: Promise<unknown>): Promise<unknown> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), patience);
  try {
    return await Promise.race([asked.catch(() => null), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Sums that never go back when a worker ends. Of one that was killed the last known counts are kept. */
function createTallies() {
  const none: Tally = { uploads: 0, uploadedBytes: 0, downloads: 0, refusedConnections: 0 };
  const known = new Map<Worker, Tally>();
  let ended = none;
  const keepWhenEnded = async (worker: Worker): Promise<void> => {
    await worker.ended;
    ended = sumOf(ended, known.get(worker) ?? none);
    known.delete(worker);
  };
  return {
    note(worker: Worker, tally: Tally): void {
      const isNew = !known.has(worker);
      known.set(worker, tally);
      if (isNew) void keepWhenEnded(worker);
    },
    sum: (): Tally => [...known.values()].reduce(sumOf, ended),
  };
}

const sumOf = (a: Tally, b: Tally): Tally => ({
  uploads: a.uploads + b.uploads,
  uploadedBytes: a.uploadedBytes + b.uploadedBytes,
  downloads: a.downloads + b.downloads,
  refusedConnections: a.refusedConnections + b.refusedConnections,
});
