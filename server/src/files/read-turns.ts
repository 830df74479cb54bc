import { Failure } from '@holdfast/contract/src/errors.ts';
import { createSemaphore } from '../lib/semaphore.ts';

const mostWaiting = 16;

/**
 * Runs `work` in the account's turn.
 * @throws {Failure} RATE_LIMITED when as many as may wait do so.
 */
export type InTurn = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/**
 * Lets the long reads of one account run one after the other, so that it uses one of the threads or connections that
 * read.
 */
export function createReadTurns(): InTurn {
  const accounts = new Map<string, { readonly inTurn: ReturnType<typeof createSemaphore>; reads: number }>();
  return async (accountId, work) => {
    const account = accounts.get(accountId) ?? { inTurn: createSemaphore(1), reads: 0 };
    if (account.reads > mostWaiting) throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds: 1 });
    accounts.set(accountId, account);
    account.reads += 1;
    try {
      return await account.inTurn(work);
    } finally {
      account.reads -= 1;
      if (account.reads === 0) accounts.delete(accountId);
    }
  };
}
