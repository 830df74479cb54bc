import { type Clock, seconds } from '../../lib/clock.ts';
import { type Counters, takenAt } from './counters.ts';

/** About 20 MB. Only buckets that are not full again count. */
const mostBuckets = 100_000;
const sweepEvery = seconds(10);

export function openMemoryCounters(clock: Pick<Clock, 'monotonic'>, most = mostBuckets): Counters {
  const fullAt = new Map<string, number>();
  let sweptAt = clock.monotonic();
  const sweep = (now: number) => {
    if (now - sweptAt < sweepEvery && fullAt.size < most) return;
    sweptAt = now;
    for (const [key, time] of fullAt) if (time <= now) fullAt.delete(key);
    if (fullAt.size < most) return;
    // A flood's buckets are full within seconds, so it cannot push out those that count wrong passwords.
    const soonest = [...fullAt].toSorted(([, a], [, b]) => a - b);
    for (const [key] of soonest.slice(0, Math.ceil(most / 10))) fullAt.delete(key);
  };
  return {
    async take(key, limit) {
      const now = clock.monotonic();
      const emptyAt = now + limit.capacity * limit.everyMs;
      const before = Math.min(Math.max(fullAt.get(key) ?? 0, now), emptyAt);
      const after = before + limit.everyMs;
      const allowed = after <= emptyAt;
      if (allowed) {
        sweep(now);
        fullAt.set(key, after);
      }
      return takenAt(allowed ? after : before, now, limit, allowed);
    },
    async giveBack(key, limit) {
      const before = fullAt.get(key);
      if (before !== undefined) fullAt.set(key, before - limit.everyMs);
    },
  };
}
