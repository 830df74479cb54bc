/**
 * A program that tries names of 4 to 7 characters can find files of strangers. An address that has tried too many gets
 * no such name for a moment, whether it exists or not; otherwise the difference would tell it. There are 62^8 names of 8
 * characters (47 bits), which are too many to try, so others behind the same address get their links.
 *
 * The shared counters count what is missed in all processes. A bucket in this process's memory stands before them,
 * because taking from it needs no wait: between the result of a look-up and the decision on its response, no other
 * request can be decided. So a burst learns no more than the same requests one after the other. With several processes,
 * an address that has used up its tokens in one can still find names in another, until that one's first miss.
 */
import type { Context } from '../context.ts';
import { type Limit, takenAt } from '../storage/counters/counters.ts';

const missed: Limit = { capacity: 60, everyMs: 500 };
/** Milliseconds that an empty bucket takes to fill. */
const untilFull = missed.capacity * missed.everyMs;
const shortestSafeName = 8;
/** About 10 MB. */
const mostRemembered = 100_000;

export interface MissedLinks {
  /**
   * Returns the seconds that this client must wait before it may try a guessable name, and 0 if it need not wait. Such a
   * name is served only if this is 0 after its look-up too, since others may have been missed meanwhile.
   */
  waitFor(client: string): number;
  /** Counts a link that does not exist. Returns the seconds to wait, and 0 while the client is within the limit. */
  count(client: string): Promise<number>;
}

/** Returns whether the name is short enough to be found by trying. */
export function isGuessable(target: string): boolean {
  const dot = target.indexOf('.');
  return (dot === -1 ? target.length : dot) < shortestSafeName;
}

export function createMissedLinks({ counters, clock }: Pick<Context, 'counters' | 'clock'>): MissedLinks {
  /** When the buckets of clients that missed a link are full again, by the clock that nobody can set. */
  const fullAt = new Map<string, number>();
  const remember = (client: string, time: number) => {
    // A map preserves insertion order, so its first entry missed longest ago.
    fullAt.delete(client);
    fullAt.set(client, time);
    if (fullAt.size <= mostRemembered) return;
    for (const oldest of fullAt.keys()) return void fullAt.delete(oldest);
  };
  return {
    waitFor(client) {
      const time = fullAt.get(client);
      return time === undefined ? 0 : takenAt(time, clock.monotonic(), missed, true).retryAfterSeconds;
    },
    async count(client) {
      const now = clock.monotonic();
      const after = Math.max(fullAt.get(client) ?? now, now) + missed.everyMs;
      remember(client, Math.min(after, now + untilFull));
      const { allowed, retryAfterSeconds } = await counters.take(`missed links from ${client}`, missed);
      if (allowed) return 0;
      remember(client, clock.monotonic() + untilFull);
      return retryAfterSeconds;
    },
  };
}
