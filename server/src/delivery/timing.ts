/** A monotonic clock in milliseconds and timers on it, so that a test can move both. */
export interface Timing {
  now(): number;
  /** Runs `act` once, after `ms` or a little later, unless the returned function is called before. */
  after(ms: number, act: () => void): () => void;
}

export const systemTiming: Timing = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
