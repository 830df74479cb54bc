import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';

/** Concurrent uploads per account, in all processes together; further ones get 429. */
const atOncePerAccount = 4;

/** Runs an upload unless the account already has four in progress. */
export async function withUploadSlot<T>(
  { peers }: Pick<Context, 'peers'>,
  accountId: string,
  work: () => Promise<T>,
): Promise<T> {
  const slot = await peers.takeSlot(`uploads of ${accountId}`, atOncePerAccount);
  if (!slot)
    throw new Failure('RATE_LIMITED', `At most ${atOncePerAccount} uploads at a time. Wait for one to finish.`, {
      // The end of an upload cannot be predicted. One retry per second is quick and well below the rate limit of an
      // address.
      retryAfterSeconds: 1,
    });
  try {
    return await work();
  } finally {
    // Before the response, so that its client may begin the next one at once.
    await slot.release();
  }
}
