import { Failure } from '@holdfast/contract/src/errors.ts';
import { type Actor, recordAction } from '../accounts/record-action.ts';
import type { Context } from '../context.ts';
import type { FoundBytes } from './find-bytes.ts';
import { goneForGood } from './restore-files.ts';

/**
 * Removes withheld bytes from storage for good: nobody gets them back from then on. The digest stays blocked, and the
 * cases stay as they are. The row goes first, as in the purge; bytes that a killed process leaves are the sweep's.
 * @throws {Failure} FILE_NOT_FOUND when the bytes are gone, INVALID_INPUT when they are not withheld, or not yet wholly.
 */
export async function discard(context: Context, actor: Actor, bytes: FoundBytes): Promise<{ readonly size: number }> {
  const { blobId, sha256, name } = bytes;
  const size = await context.db.transaction().execute(async (tx) => {
    const row = await tx
      .deleteFrom('blobs')
      .where('id', '=', blobId)
      .where('held_for', 'is not', null)
      .where('used_by', '=', 0)
      .returning(['size', 'held_for'])
      .executeTakeFirst();
    if (!row) throw await whyNot(tx, bytes);
    // So that a restored backup does not bring them back.
    await tx
      .insertInto('discarded_digests')
      .values({ sha256, discarded_at: context.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await recordAction({ ...context, db: tx }, actor, {
      subject: name ?? sha256,
      details: { sha256, size: row.size, held_for: row.held_for },
    });
    return row.size;
  });
  await context.blobs.remove(blobId);
  return { size };
}

async function whyNot(db: Pick<Context['db'], 'selectFrom'>, bytes: FoundBytes): Promise<Failure> {
  const named = bytes.name ?? bytes.sha256;
  const blob = await db.selectFrom('blobs').select('held_for').where('id', '=', bytes.blobId).executeTakeFirst();
  if (!blob) return goneForGood(bytes);
  return new Failure(
    'INVALID_INPUT',
    blob.held_for === null
      ? `'${named}' is neither taken down nor in quarantine.`
      : `'${named}' is still being withheld: live files have its bytes. Try again in a minute.`,
  );
}
