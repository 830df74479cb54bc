/**
 * A program that tries names of 4 to 7 characters can find files of strangers. An address that has tried too many gets
 * no such name for a moment, whether it exists or not; otherwise the difference would tell it. There are 62^8 names of 8
 * characters (47 bits), which are too many to try, so others behind the same address get their links.
 */
import type { Context } from '../context.ts';
import type { Limit } from '../engines/counters/counters.ts';
import { seconds } from '../lib/clock.ts';

const missed: Limit = { capacity: 60, everyMs: 500 };
const shortestSafeName = 8;
const mostRemembered = 10_000;

export interface MissedLinks {
  /** Returns the seconds that this client must wait before it may try `target`, and 0 if it need not wait. */
  waitFor(client: string, target: string): number;
  /** Counts a link that does not exist. Returns the seconds to wait, and 0 while the client is within the limit. */
  count(client: string): Promise<number>;
}

export function createMissedLinks({ counters, clock }: Pick<Context, 'counters' | 'clock'>): MissedLinks {
  /** When the clients over the limit may try again, by the clock that nobody can set. */
  const refusedUntil = new Map<string, number>();
  return {
    waitFor(client, target) {
      if (refusedUntil.size === 0 || lengthOfName(target) >= shortestSafeName) return 0;
      const left = (refusedUntil.get(client) ?? 0) - clock.elapsed();
      if (left > 0) return Math.ceil(left / seconds(1));
      refusedUntil.delete(client);
      return 0;
    },
    async count(client) {
      const { allowed, retryAfterSeconds } = await counters.take(`missed links from ${client}`, missed);
      if (allowed) return 0;
      if (refusedUntil.size >= mostRemembered) refusedUntil.clear();
      refusedUntil.set(client, clock.elapsed() + seconds(retryAfterSeconds));
      return retryAfterSeconds;
    },
  };
}

function lengthOfName(target: string): number {
  const dot = target.indexOf('.');
  return dot === -1 ? target.length : dot;
}
