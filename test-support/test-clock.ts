import type { Clock } from '@holdfast/server/src/lib/clock.ts';

export interface TestClock extends Clock {
  advance(ms: number): void;
}

/** Stands still until a test advances it. */
export function createTestClock(start = Date.now()): TestClock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
