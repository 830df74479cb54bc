import { Failure } from '@holdfast/contract/src/errors.ts';

/** Concurrent uploads per account; further ones get 429. */
const atOncePerAccount = 4;
const running = new Map<string, number>();

/** Runs an upload unless the account already has four in progress. */
export async function withUploadSlot<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  const count = running.get(accountId) ?? 0;
  if (count >= atOncePerAccount)
    throw new Failure('RATE_LIMITED', `At most ${atOncePerAccount} uploads at a time. Wait for one to finish.`, {
      // The end of an upload cannot be predicted. One retry per second is quick and well below the rate limit of an
      // address.
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
