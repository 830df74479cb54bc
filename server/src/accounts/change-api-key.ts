import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { queueLetter } from '../post/queue-letter.ts';
import { apiKeyHash, newApiKey, sealApiKey } from './api-key.ts';
import { keyChangedLetter } from './letters.ts';

/**
 * Gives the account a new key. The old one is dead when this answers.
 * @throws {Failure} AUTH_REQUIRED when the account was closed meanwhile.
 */
export function changeApiKey(context: Context, account: AccountRow): Promise<string> {
  return inTurn(account.id, async () => {
    const key = newApiKey();
    await context.db.transaction().execute(async (tx) => {
      const changed = await tx
        .updateTable('accounts')
        .set({
          key_hash: apiKeyHash(key),
          key_sealed: sealApiKey(context, account.id, key),
          changed_at: context.clock.now(),
        })
        .where('id', '=', account.id)
        .where('closed_at', 'is', null)
        .executeTakeFirst();
      if (Number(changed.numUpdatedRows) !== 1) throw new Failure('AUTH_REQUIRED');
      await queueLetter({ ...context, db: tx }, keyChangedLetter(context, account.email));
    });
    return key;
  });
}

/** When the change that came last for an account is over. */
const lastTurn = new Map<string, Promise<void>>();

/**
 * One change of an account after the other, each answered before the next begins: whoever changes twice at once reads
 * the key that works in the answer that comes last.
 */
async function inTurn(accountId: string, change: () => Promise<string>): Promise<string> {
  const before = lastTurn.get(accountId);
  const { promise: over, resolve } = Promise.withResolvers<void>();
  lastTurn.set(accountId, over);
  await before;
  try {
    return await change();
  } finally {
    // By the next turn of the event loop the answer has been handed to its socket.
    setImmediate(() => {
      if (lastTurn.get(accountId) === over) lastTurn.delete(accountId);
      resolve();
    });
  }
}
