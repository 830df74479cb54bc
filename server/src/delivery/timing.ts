/** A monotonic clock in milliseconds with timers, so that tests can control both. */
export interface Timing {
  now(): number;
  /** Runs `act` once, after `ms` or a little later, unless the returned function is called first. */
  after(ms: number, act: () => void): () => void;
}

export const systemTiming: Timing = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
