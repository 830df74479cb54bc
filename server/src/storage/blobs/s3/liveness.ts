import { setTimeout as wait } from 'node:timers/promises';
import { seconds } from '../../../lib/clock.ts';

const longestSilence = 250;
const shortestPatience = seconds(1);
const longestPatience = seconds(5);

/**
 * Tells a store that is away from one that takes its time. If calls wait and nothing came from the store for a quarter of a
 * second, it is asked for almost nothing. Without a response all calls are ended, and others refused, until it responds.
 */
export function createLiveness(ask: (signal: AbortSignal) => Promise<void>) {
  const calls = new Set<AbortController>();
  const closing = new AbortController();
  let isChecking = false;
  let isAway = false;
  let heardAt = 0;
  let patience = shortestPatience;

  /** Returns how long the response took, null if there was none in time. */
  const timed = async (longestMs: number): Promise<number | null> => {
    const began = performance.now();
    using late = deadline(longestMs);
    // A response to any other call shows the same.
    await ask(AbortSignal.any([late.signal, closing.signal])).catch(() => {});
    return heardAt > began ? performance.now() - began : null;
  };

  const check = async () => {
    if ((await timed(patience)) !== null) return;
    isAway = true;
    for (const call of calls) call.abort();
    while (!closing.signal.aborted && (await timed(longestPatience)) === null)
      await wait(longestSilence, undefined, { ref: false });
    // That response may have waited for the end of the outage.
    const usual = (await timed(longestPatience)) ?? longestPatience;
    patience = Math.min(Math.max(shortestPatience, 3 * usual), longestPatience);
    isAway = false;
  };

  const look = () => {
    if (isChecking || performance.now() - heardAt < longestSilence) return;
    isChecking = true;
    void check().finally(() => (isChecking = false));
  };

  return {
    heard: () => void (heardAt = performance.now()),
    /** @throws if the store is away, or `signal` or the time ends the call. */
    async call<T>(work: (signal: AbortSignal) => Promise<T>, longestMs: number, signal?: AbortSignal): Promise<T> {
      if (isAway) throw new Error('It does not respond');
      const ended = new AbortController();
      using late = deadline(longestMs);
      const looks = setInterval(look, longestSilence);
      calls.add(ended);
      try {
        return await work(AbortSignal.any([ended.signal, late.signal, ...(signal ? [signal] : [])]));
      } finally {
        calls.delete(ended);
        clearInterval(looks);
      }
    },
    [Symbol.dispose]: () => closing.abort(),
  };
}

export function deadline(ms: number): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  // After a pause of the process, what has arrived meanwhile is read first.
  const timer = setTimeout(() => setImmediate(() => controller.abort()), ms);
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
