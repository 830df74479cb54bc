import { setTimeout as wait } from 'node:timers/promises';

/** Longer than the work takes on a machine that is not overloaded. */
const minimumResponseMs = 50;

/**
 * Resolves no sooner than after a fixed time. Writes happen only for addresses that wait for verification, so the
 * response time would otherwise reveal which addresses have an account.
 */
export async function withMinimumResponseTime<Value>(work: () => Promise<Value>): Promise<Value> {
  const enough = wait(minimumResponseMs);
  try {
    return await work();
  } finally {
    await enough;
  }
}
