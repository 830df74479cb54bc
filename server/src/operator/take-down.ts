import { sql } from 'kysely';
import { type Actor, recordAction } from './record-action.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { removeForCase, type TakenDown } from '../moderation/remove-for-case.ts';
import type { FoundBytes } from './find-bytes.ts';

/**
 * Removes all files of the same bytes from every account and every host, for the case `reference`. The bytes are kept
 * under hold and cannot be uploaded again, each owner gets an email, and the case counts against their accounts. If it
 * is killed halfway, `finishRemovals` or the same case finishes it. Another case on bytes that are already down is
 * recorded.
 */
export async function takeDown(
  context: Context,
  actor: Actor,
  bytes: FoundBytes,
  reference: string,
): Promise<TakenDown> {
  const planned = await wouldTakeDown(context, bytes);
  await context.db.transaction().execute(async (tx) => {
    await openCase(tx, context.clock.now(), bytes, reference);
    const { sha256, name } = bytes;
    await recordAction({ ...context, db: tx }, actor, {
      subject: name ?? sha256,
      reference,
      details: { sha256, ...planned },
    });
  });
  return removeForCase(context, bytes, reference);
}

export async function wouldTakeDown(
  { db }: Pick<Context, 'db'>,
  { blobId }: Pick<FoundBytes, 'blobId'>,
): Promise<TakenDown> {
  return db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select((eb) => [eb.fn.countAll<number>().as('files'), eb.fn.count<number>('account_id').distinct().as('accounts')])
    .where('files.blob_id', '=', blobId)
    .where('files.deleted_at', 'is', null)
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirstOrThrow();
}

/** From here on, none of these bytes can be restored without this case, because `restore` locks the same row first. */
async function openCase(
  tx: Transaction,
  now: number,
  { blobId, sha256 }: FoundBytes,
  reference: string,
): Promise<void> {
  // The hold begins here, so that the rest is found if this process ends for any reason. It selects by digest, because
  // the bytes may have been uploaded again since the lookup.
  await tx
    .updateTable('blobs')
    .set((eb) => ({
      held_for: eb.fn.coalesce('held_for', eb.val('takedown' as const)),
      held_at: eb.fn.coalesce('held_at', eb.val(now)),
    }))
    .where('sha256', '=', sha256)
    .execute();
  await tx
    .insertInto('takedown_cases')
    .values({ reference, sha256, opened_at: now, closed_at: null })
    .onConflict((conflict) => conflict.columns(['reference', 'sha256']).doUpdateSet({ closed_at: null }))
    .execute();
  // Accounts whose files of these bytes are down for another case lose nothing new, but this notice covers their files
  // too.
  await sql`
    INSERT INTO takedowns (reference, sha256, account_id, taken_down_at)
    SELECT DISTINCT cast(${reference} as text), sha256, account_id, cast(${now} as bigint) FROM files
    WHERE blob_id = ${blobId} AND deleted_because = 'takedown'
    ON CONFLICT (reference, sha256, account_id) DO UPDATE SET restored_at = NULL`.execute(tx);
}
