import type { Clock } from '@holdfast/server/src/lib/clock.ts';

export interface TestClock extends Clock {
  /** Lets time pass. */
  advance(ms: number): void;
  /** Sets the clock, ahead or back, while no time passes. */
  jump(ms: number): void;
}

/** Stands still until a test advances it. */
export function createTestClock(start = Date.now()): TestClock {
  let now = start;
  let monotonic = 0;
  return {
    now: () => now,
    monotonic: () => monotonic,
    advance(ms) {
      now += ms;
      monotonic += Math.max(0, ms);
    },
    jump(ms) {
      now += ms;
    },
  };
}
