import type { SqliteThread } from './sqlite-thread.ts';

export interface SqliteReaders {
  /** Runs `work` with a thread that nobody else uses meanwhile, in order of arrival. */
  use<T>(purpose: Purpose, work: (thread: SqliteThread) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A transaction may read for long. */
export type Purpose = 'statement' | 'transaction';

interface Reader {
  thread: SqliteThread | null;
  isBusy: boolean;
  /** In the order of preference. */
  readonly serves: readonly Purpose[];
}

/**
 * A pool of `count` threads that read, each started when all before it are busy. The first one serves single statements
 * only, so that a download's look-up never waits for somebody's list. A thread that has died is replaced.
 */
export function createSqliteReaders(count: number, start: () => SqliteThread): SqliteReaders {
  const readers = Array.from({ length: count }, (_, at): Reader => ({
    thread: null,
    isBusy: false,
    serves: at === 0 ? ['statement'] : ['transaction', 'statement'],
  }));
  const waiting: Record<Purpose, ((reader: Reader) => void)[]> = { statement: [], transaction: [] };

  function acquire(purpose: Purpose): Reader | Promise<Reader> {
    const free = readers.find(({ isBusy, serves }) => !isBusy && serves.includes(purpose));
    if (!free) return new Promise((resolve) => waiting[purpose].push(resolve));
    free.isBusy = true;
    return free;
  }

  /** The reader passes directly to the next caller, so that a newcomer cannot slip in between. */
  function release(reader: Reader): void {
    const next = reader.serves
      .map((purpose) => waiting[purpose])
      .find(({ length }) => length > 0)
      ?.shift();
    if (next) next(reader);
    else reader.isBusy = false;
  }

  function threadOf(reader: Reader): SqliteThread {
    if (!reader.thread || reader.thread.hasEnded()) reader.thread = start();
    return reader.thread;
  }

  return {
    async use(purpose, work) {
      const reader = await acquire(purpose);
      try {
        return await work(threadOf(reader));
      } finally {
        release(reader);
      }
    },
    async close() {
      await Promise.all(readers.map(async ({ thread }) => thread?.close()));
    },
  };
}
