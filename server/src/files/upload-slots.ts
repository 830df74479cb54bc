import { Failure } from '@holdfast/contract/src/errors.ts';

/** Decisions section 4. */
const atOncePerAccount = 4;
const running = new Map<string, number>();

/** Runs an upload unless the account has four under way already. */
export async function withUploadSlot<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  const count = running.get(accountId) ?? 0;
  if (count >= atOncePerAccount)
    throw new Failure('RATE_LIMITED', `At most ${atOncePerAccount} uploads at a time. Wait for one to finish.`, {
      // Nobody knows when one ends: asking once a second finds out soon, and is well below what an address may ask.
      retryAfterSeconds: 1,
    });
  running.set(accountId, count + 1);
  try {
    return await work();
  } finally {
    const left = (running.get(accountId) ?? 1) - 1;
    if (left === 0) running.delete(accountId);
    else running.set(accountId, left);
  }
}
