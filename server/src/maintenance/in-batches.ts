import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many rows one statement or transaction of a job changes at most. */
export const batchSize = 500;

/**
 * Repeats `batch` until it finds nothing more to do, and answers how much it did in all. Between two batches requests
 * get their turn: on SQLite a statement never leaves the thread. There a run also ends when `signal` says so.
 */
export async function inBatches(signal: AbortSignal, batch: () => Promise<number>): Promise<number> {
  for (let all = 0; ;) {
    signal.throwIfAborted();
    const done = await batch();
    if (done === 0) return all;
    all += done;
    await nextTurn();
  }
}
