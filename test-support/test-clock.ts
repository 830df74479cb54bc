import { type Clock, withSteadyTime } from '@holdfast/server/src/lib/clock.ts';

export interface TestClock extends Clock {
  /** Lets time pass, or sets the clock back by a negative number. */
  advance(ms: number): void;
  /** Sets the clock, ahead or back, while no time passes. */
  jump(ms: number): void;
}

/** Stands still until a test advances it. */
export function createTestClock(start = Date.now()): TestClock {
  let now = start;
  let elapsed = 0;
  return {
    ...withSteadyTime({ now: () => now, elapsed: () => elapsed }),
    advance(ms) {
      now += ms;
      elapsed += Math.max(0, ms);
    },
    jump(ms) {
      now += ms;
    },
  };
}
