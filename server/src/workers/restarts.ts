import { minutes, seconds } from '../lib/clock.ts';

/** A worker that lived this long did not end because of its start. */
const settledAfter = minutes(1);
const firstPause = 250;
const longestPause = seconds(30);
/** Starts in a row without one that listened. */
const mostFailedStarts = 5;

export interface Restarts {
  /** Notes the end of a worker. Returns the milliseconds until another one is started. */
  noteEnd(end: { readonly hasListened: boolean; readonly livedMs: number }): number;
  /** Whether the last starts all failed, so that the next one will, too. */
  isLoop(): boolean;
}

/** Decides when a worker that has ended is started again: at once, and then after growing pauses. */
export function createRestarts(): Restarts {
  let ends = 0;
  let failedStarts = 0;
  return {
    noteEnd({ hasListened, livedMs }) {
      failedStarts = hasListened ? 0 : failedStarts + 1;
      ends = hasListened && livedMs >= settledAfter ? 1 : ends + 1;
      return Math.min(firstPause * 2 ** (ends - 1), longestPause);
    },
    isLoop: () => failedStarts >= mostFailedStarts,
  };
}
