import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { queueLetter } from '../post/queue-letter.ts';
import { accountDeletedLetter } from './letters.ts';
import { closeResetKeys } from './reset-keys.ts';
import { endSessionsOf } from './sessions.ts';

/** What holds bytes of files in memory. */
export interface Memory {
  forget(ids: Iterable<BlobId>): void;
}

/**
 * Deletes an account with all its files, in one transaction: from then on nobody signs in to it, its key is nobody's,
 * no link of it answers, and its address is free. The row stays, without what opened it, because its files' names are
 * never used again.
 * @throws {Failure} AUTH_REQUIRED when it is closed already.
 */
export async function closeAccount(context: Context, memory: Memory, account: AccountRow): Promise<void> {
  const { clock } = context;
  const blobIds = await context.db.transaction().execute(async (tx) => {
    const now = clock.now();
    // The account's row comes first, as everywhere: an upload under way has committed before it or is refused after it.
    const closed = await tx
      .updateTable('accounts')
      .set({
        closed_at: now,
        space_used: 0,
        slots_used: 0,
        password_hash: '',
        key_hash: `closed ${account.id}`,
        key_sealed: '',
      })
      .where('id', '=', account.id)
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    if (Number(closed.numUpdatedRows) !== 1) throw new Failure('AUTH_REQUIRED');
    await endSessionsOf({ db: tx }, account.id);
    await closeResetKeys(tx, account.id);
    await tx.deleteFrom('email_codes').where('account_id', '=', account.id).execute();
    await lockBlobs(tx, account.id);
    await releaseBlobs(tx, account.id, now);
    const files = await tx
      .updateTable('files')
      .set({ deleted_at: now })
      .where('account_id', '=', account.id)
      .where('deleted_at', 'is', null)
      .returning('blob_id')
      .execute();
    await queueLetter({ ...context, db: tx }, accountDeletedLetter(context, account.email));
    return files.map((file) => file.blob_id as BlobId);
  });
  memory.forget(blobIds);
}

const usesOf = (tx: Transaction, accountId: string) =>
  tx
    .selectFrom('files')
    .select(['blob_id', (eb) => eb.fn.countAll<number>().as('uses')])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .groupBy('blob_id');

/** In the order in which every transaction takes them, so that two cannot wait for each other. */
function lockBlobs(tx: Transaction, accountId: string): Promise<void> {
  const used = usesOf(tx, accountId).as('used');
  const inOrder = tx
    .selectFrom('blobs')
    .select('id')
    .where('id', 'in', (eb) => eb.selectFrom(used).select('used.blob_id'))
    .orderBy('id');
  return lockRows(tx, inOrder);
}

/** One statement, however many files there are. */
async function releaseBlobs(tx: Transaction, accountId: string, now: number): Promise<void> {
  await tx
    .updateTable('blobs')
    .from(usesOf(tx, accountId).as('used'))
    .set((eb) => ({
      used_by: eb('blobs.used_by', '-', eb.ref('used.uses')),
      unused_since: eb.case().when('blobs.used_by', '=', eb.ref('used.uses')).then(now).else(null).end(),
    }))
    .whereRef('blobs.id', '=', 'used.blob_id')
    .execute();
}
