import { type Clock, seconds } from '../lib/clock.ts';
import { createLru } from '../lib/lru.ts';

/** A new file is on the replica long before, so only the question to the primary is saved. */
const rememberedFor = seconds(10);
/** About 10 MB. */
const mostRemembered = 100_000;
/** Questions to the primary in a second, about names that the replica does not know: a few statements. */
const perSecond = 100;
const atOnce = 200;

/** Names that the primary does not know either, and the questions to it that are left. */
export interface UnknownNames {
  has(name: string): boolean;
  add(name: string): void;
  /** Returns whether the primary may be asked now, and counts the question. */
  mayAsk(): boolean;
}

/**
 * Bounds what links that do not exist cost the primary: strangers can try any number of names, and a link that was deleted
 * may stay popular.
 */
export function createUnknownNames({ monotonic }: Pick<Clock, 'monotonic'>): UnknownNames {
  const until = createLru<string, number>(mostRemembered);
  let left = atOnce;
  let filledAt = monotonic();
  return {
    has: (name) => (until.get(name) ?? -Infinity) > monotonic(),
    add: (name) => until.set(name, monotonic() + rememberedFor),
    mayAsk() {
      const now = monotonic();
      left = Math.min(atOnce, left + ((now - filledAt) / 1000) * perSecond);
      filledAt = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
