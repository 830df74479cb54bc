import type { Counters } from '../../src/storage/counters/counters.ts';

/** Counters that never refuse. */
export const limitless: Counters = {
  take: async (_key, { capacity }) => ({ allowed: true, remaining: capacity, resetSeconds: 0, retryAfterSeconds: 0 }),
  async giveBack() {},
};
