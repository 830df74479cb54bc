import { Failure } from '@holdfast/contract/src/errors.ts';
import { type Actor, recordAction } from './record-action.ts';
import type { Context } from '../context.ts';
import type { FoundBytes } from './find-bytes.ts';
import { goneForGood } from './restore-files.ts';

/**
 * Permanently deletes withheld bytes from storage. The digest stays blocked, and the cases do not change. The row is
 * deleted first, as in the purge; if the process is killed before it deletes the bytes, the sweep does.
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
