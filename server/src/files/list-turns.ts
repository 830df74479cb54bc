import { Failure } from '@holdfast/contract/src/errors.ts';
import { createSemaphore } from '../lib/semaphore.ts';

const mostWaiting = 16;

/**
 * Lets the lists of one account run one after the other, so that it uses one of the threads or connections that read.
 * @throws {Failure} RATE_LIMITED when as many as may wait do so.
 */
export function createListTurns(): <T>(accountId: string, work: () => Promise<T>) => Promise<T> {
  const accounts = new Map<string, { readonly inTurn: ReturnType<typeof createSemaphore>; lists: number }>();
  return async (accountId, work) => {
    const account = accounts.get(accountId) ?? { inTurn: createSemaphore(1), lists: 0 };
    if (account.lists > mostWaiting) throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds: 1 });
    accounts.set(accountId, account);
    account.lists += 1;
    try {
      return await account.inTurn(work);
    } finally {
      account.lists -= 1;
      if (account.lists === 0) accounts.delete(accountId);
    }
  };
}
