import { type Clock, seconds } from '../../lib/clock.ts';
import { type Counters, describe } from './counters.ts';

/** About 20 MB. Only those count that are not full again, and a request a second needs none for longer than that. */
const mostBuckets = 100_000;
const sweepEvery = seconds(10);

/** Counters of this process: they begin anew with it. */
export function openMemoryCounters(clock: Clock, most = mostBuckets): Counters {
  const fullAt = new Map<string, number>();
  let sweptAt = clock.now();
  const sweep = (now: number) => {
    if (now - sweptAt < sweepEvery && fullAt.size < most) return;
    sweptAt = now;
    for (const [key, time] of fullAt) if (time <= now) fullAt.delete(key);
    if (fullAt.size >= most) forgetNearlyFull(fullAt);
  };
  return {
    async take(key, limit) {
      const now = clock.now();
      const emptyAt = now + limit.capacity * limit.everyMs;
      const known = fullAt.get(key) ?? 0;
      const before = Math.min(Math.max(known, now), emptyAt);
      const after = before + limit.everyMs;
      const allowed = after <= emptyAt;
      if (allowed) {
        sweep(now);
        fullAt.set(key, after);
      } else if (known > emptyAt) fullAt.set(key, emptyAt);
      return describe(allowed ? after : before, now, limit, allowed);
    },
    async giveBack(key, limit) {
      const before = fullAt.get(key);
      if (before !== undefined) fullAt.set(key, before - limit.everyMs);
    },
  };
}

/**
 * Makes room where none has come free: a tenth, those that would be full soonest. A flood of requests is full within
 * seconds, so it cannot push out what counts wrong passwords.
 */
function forgetNearlyFull(fullAt: Map<string, number>): void {
  const soonest = [...fullAt].toSorted(([, a], [, b]) => a - b);
  for (const [key] of soonest.slice(0, Math.ceil(soonest.length / 10))) fullAt.delete(key);
}
