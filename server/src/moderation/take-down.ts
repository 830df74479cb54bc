import { Failure } from '@holdfast/contract/src/errors.ts';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { takedownEmail } from '../email/templates.ts';
import { removeBytesOf } from '../files/remove-bytes.ts';
import type { Transaction } from '../storage/db/database.ts';
import { type Actor, recordAction } from '../storage/db/record-action.ts';
import { countLive, type FoundBytes, goneForGood } from './find-file.ts';
import { type Bytes, removeBytesEverywhere } from './remove-bytes-everywhere.ts';

/** If it is killed halfway, `finishRemovals` finishes it. Another case on bytes that are already down is recorded. */
export async function takeDown(context: Context, actor: Actor, bytes: FoundBytes, reference: string) {
  const { sha256, name, blobId } = bytes;
  const details = { sha256, ...(await countLive(context.db, blobId)) };
  await context.db.transaction().execute(async (tx) => {
    await openCase(tx, context.clock.now(), bytes, reference);
    await recordAction({ ...context, db: tx }, actor, { subject: name ?? sha256, reference, details });
  });
  return removeForCase(context, bytes, reference);
}

/** From here on, none of these bytes can be restored without this case, because a restore locks the same row first. */
export async function openCase(
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
  // This notice also covers files that are down for another case.
  await sql`
    INSERT INTO takedowns (reference, sha256, account_id, taken_down_at)
    SELECT DISTINCT cast(${reference} as text), sha256, account_id, cast(${now} as bigint) FROM files
    WHERE blob_id = ${blobId} AND deleted_because = 'takedown'
    ON CONFLICT (reference, sha256, account_id) DO UPDATE SET restored_at = NULL`.execute(tx);
}

/** The case must be open already. */
export function removeForCase(context: Context, bytes: Bytes, reference: string) {
  const { sha256 } = bytes;
  return removeBytesEverywhere(context, bytes, 'takedown', reference, async (tx, owner, withheld) => {
    await countAgainst(tx, owner.id, { sha256, reference, now: context.clock.now() });
    await queueEmail({ ...context, db: tx }, takedownEmail(context, owner.email, reference, withheld));
  });
}

interface Counted {
  readonly sha256: string;
  readonly reference: string;
  readonly now: number;
}

/** This case and all others that are open. */
export async function countAgainst(tx: Transaction, owner: string, { sha256, reference, now }: Counted): Promise<void> {
  await tx
    .insertInto('takedowns')
    .values({ reference, sha256, account_id: owner, taken_down_at: now })
    .onConflict((conflict) =>
      conflict.columns(['reference', 'sha256', 'account_id']).doUpdateSet({ taken_down_at: now, restored_at: null }),
    )
    .execute();
  await sql`
    INSERT INTO takedowns (reference, sha256, account_id, taken_down_at)
    SELECT reference, sha256, ${owner}, cast(${now} as bigint) FROM takedown_cases
    WHERE sha256 = ${sha256} AND closed_at IS NULL
    ON CONFLICT (reference, sha256, account_id) DO NOTHING`.execute(tx);
}

/** Removes the bytes of withheld files from storage. */
export async function discard(context: Context, actor: Actor, bytes: FoundBytes): Promise<number> {
  const { blobId, sha256, name } = bytes;
  const subject = name ?? sha256;
  const deleted = await context.db.transaction().execute(async (tx) => {
    const row = await tx
      .deleteFrom('blobs')
      .where('id', '=', blobId)
      .where('held_for', 'is not', null)
      .where('used_by', '=', 0)
      .returningAll()
      .executeTakeFirst();
    if (row) {
      const { size, held_for } = row;
      await recordAction({ ...context, db: tx }, actor, { subject, details: { sha256, size, held_for } });
      return row;
    }
    const blob = await tx.selectFrom('blobs').select('held_for').where('id', '=', blobId).executeTakeFirst();
    if (!blob) throw goneForGood(bytes);
    throw new Failure(
      'INVALID_INPUT',
      blob.held_for === null
        ? `'${subject}' is neither taken down nor in quarantine.`
        : `'${subject}' is still being withheld: live files have its bytes. Try again in a minute.`,
    );
  });
  await removeBytesOf(context, [deleted]);
  return deleted.size;
}
