import { Failure } from '@holdfast/contract/src/errors.ts';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { quarantine } from '../moderation/quarantine.ts';
import { removeForCase } from '../moderation/remove-for-case.ts';
import { type Actor, recordAction } from './audit.ts';
import { countLive, type FoundBytes } from './find-file.ts';
import { goneForGood } from './restore-file.ts';

/** If it is killed halfway, `finishRemovals` finishes it. Another case on bytes that are already down is recorded. */
export async function takeDown(
  context: Context,
  actor: Actor,
  bytes: FoundBytes,
  reference: string,
): Promise<{ files: number; accounts: number }> {
  const planned = await countLive(context.db, bytes.blobId);
  await context.db.transaction().execute(async (tx) => {
    await openCase(tx, context.clock.now(), bytes, reference);
    const { sha256, name } = bytes;
    const details = { sha256, ...planned };
    await recordAction({ ...context, db: tx }, actor, { subject: name ?? sha256, reference, details });
  });
  return removeForCase(context, bytes, reference);
}

/** From here on, none of these bytes can be restored without this case, because a restore locks the same row first. */
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
  // This notice also covers files that are down for another case.
  await sql`
    INSERT INTO takedowns (reference, sha256, account_id, taken_down_at)
    SELECT DISTINCT cast(${reference} as text), sha256, account_id, cast(${now} as bigint) FROM files
    WHERE blob_id = ${blobId} AND deleted_because = 'takedown'
    ON CONFLICT (reference, sha256, account_id) DO UPDATE SET restored_at = NULL`.execute(tx);
}

export async function quarantineByOperator(
  context: Context,
  actor: Actor,
  bytes: FoundBytes,
  because: string,
): Promise<{ files: number; accounts: number }> {
  const { sha256, name, blobId } = bytes;
  const details = { sha256, because, ...(await countLive(context.db, blobId)) };
  // Logs before acting: if the process is killed in between, the log lists more than was done, never less.
  await recordAction(context, actor, { subject: name ?? sha256, details });
  return quarantine(context, bytes, because);
}

export async function discard(context: Context, actor: Actor, bytes: FoundBytes): Promise<number> {
  const { blobId, sha256, name } = bytes;
  const size = await context.db.transaction().execute(async (tx) => {
    const row = await tx
      .deleteFrom('blobs')
      .where('id', '=', blobId)
      .where('held_for', 'is not', null)
      .where('used_by', '=', 0)
      .returning(['size', 'held_for'])
      .executeTakeFirst();
    if (!row) throw await whyNotDiscarded(tx, bytes);
    await recordAction({ ...context, db: tx }, actor, { subject: name ?? sha256, details: { sha256, ...row } });
    return row.size;
  });
  await context.blobs.remove(blobId);
  return size;
}

async function whyNotDiscarded(tx: Transaction, bytes: FoundBytes): Promise<Failure> {
  const named = bytes.name ?? bytes.sha256;
  const blob = await tx.selectFrom('blobs').select('held_for').where('id', '=', bytes.blobId).executeTakeFirst();
  if (!blob) return goneForGood(bytes);
  return new Failure(
    'INVALID_INPUT',
    blob.held_for === null
      ? `'${named}' is neither taken down nor in quarantine.`
      : `'${named}' is still being withheld: live files have its bytes. Try again in a minute.`,
  );
}
