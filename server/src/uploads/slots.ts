import { Failure } from '@holdfast/contract/src/errors.ts';

/** Concurrent uploads of an account in this process; further ones get 429. */
const atOncePerAccount = 4;

export type RunUpload = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/** Returns a function that runs an upload unless its account already has four in progress. */
export function createUploadSlots(): RunUpload {
  const running = new Map<string, number>();
  return async (accountId, work) => {
    const others = running.get(accountId) ?? 0;
    if (others >= atOncePerAccount)
      throw new Failure('RATE_LIMITED', `At most ${atOncePerAccount} uploads at a time. Wait for one to finish.`, {
        // The end of an upload cannot be predicted. One retry per second is quick and well below the rate limit of an
        // address.
        retryAfterSeconds: 1,
      });
    running.set(accountId, others + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(accountId) ?? 1) - 1;
      if (left > 0) running.set(accountId, left);
      else running.delete(accountId);
    }
  };
}
