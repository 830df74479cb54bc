import { takenAt, type Limit, type Taken } from './counters.ts';

/** Milliseconds. A bucket that is full again because the clock of the database was set back is noticed within it. */
const rememberedFor = 1_000;
const mostRemembered = 10_000;

/** Reads a bucket and takes a token of it if it has one. */
export type Ask = () => Promise<{ readonly fullAt: number; readonly now: number; readonly allowed: boolean }>;

interface Empty {
  readonly since: number;
  /** Time at which the bucket will be full again at the earliest, by the clock of this process. */
  readonly fullAt: number;
}

/**
 * Spares the database the questions whose answer is known: nobody can take a token of an empty bucket before its next
 * one is due, in whichever process. Callers of one bucket ask one after the other, so that a burst of calls learns of
 * its refusal by one question instead of taking a connection for each. If one of them fails, so do those behind it.
 */
export function createEmptyBuckets(monotonic: () => number) {
  const empty = new Map<string, Empty>();
  const asking = new Map<string, Promise<Taken>>();

  const refusal = (key: string, limit: Limit): Taken | undefined => {
    const known = empty.get(key);
    if (!known) return undefined;
    const now = monotonic();
    if (now >= known.since && now < known.since + rememberedFor)
      return known.fullAt > now + (limit.capacity - 1) * limit.everyMs
        ? takenAt(known.fullAt, now, limit, false)
        : undefined;
    empty.delete(key);
    return undefined;
  };

  const askNow = async (key: string, limit: Limit, ask: Ask): Promise<Taken> => {
    const since = monotonic();
    const { fullAt, now, allowed } = await ask();
    if (!allowed) {
      if (empty.size >= mostRemembered) empty.clear();
      empty.set(key, { since, fullAt: since + fullAt - now });
    }
    return takenAt(fullAt, now, limit, allowed);
  };

  return {
    async take(key: string, limit: Limit, ask: Ask): Promise<Taken> {
      const ahead = asking.get(key);
      const own = ahead
        ? ahead.then(() => refusal(key, limit) ?? askNow(key, limit, ask))
        : (refusal(key, limit) ?? askNow(key, limit, ask));
      if (!(own instanceof Promise)) return own;
      asking.set(key, own);
      try {
        return await own;
      } finally {
        if (asking.get(key) === own) asking.delete(key);
      }
    },
    /** A token was given back. */
    forget(key: string): void {
      empty.delete(key);
    },
  };
}
