import { setImmediate as nextTurn } from 'node:timers/promises';

/** Most rows that one statement or transaction of a job changes. */
export const batchSize = 500;

/**
 * Repeats `batch` until it finds nothing more to do and returns the total. Between two batches other tasks get their
 * turn, and a run ends there when `signal` aborts.
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
