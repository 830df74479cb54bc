import { setTimeout as wait } from 'node:timers/promises';

/** Longer than the work behind it takes on a machine that is not overloaded. */
const steadyMs = 50;

/**
 * Answers no sooner than after a fixed time. Where something is written for an address that waits and nothing for one
 * that nobody has, the time of the answer would tell the two apart.
 */
export async function inSteadyTime<Value>(work: () => Promise<Value>): Promise<Value> {
  const enough = wait(steadyMs);
  try {
    return await work();
  } finally {
    await enough;
  }
}
