import type { Selectable } from 'kysely';
import type { Context } from '../context.ts';
import { BlobsNotRemoved } from '../storage/blobs/blobs.ts';
import type { Schema } from '../storage/db/schema.ts';

/**
 * Removes the bytes of deleted rows. If some stay, their rows come back, unless an upload has brought the same bytes: a
 * day later the purge tries again.
 * @throws {BlobsNotRemoved}
 */
export async function removeBytesOf(
  { db, blobs, clock }: Pick<Context, 'db' | 'blobs' | 'clock'>,
  rows: readonly Selectable<Schema['blobs']>[],
): Promise<void> {
  try {
    await blobs.remove(...rows.map(({ id }) => id));
  } catch (error) {
    const left = error instanceof BlobsNotRemoved ? rows.filter(({ id }) => error.reasons.has(id)) : rows;
    // A run that has begun does not find them again.
    const unused = { held_for: null, held_at: null, unused_since: clock.now() + 1 };
    await db
      .insertInto('blobs')
      .values(left.map((row) => ({ ...row, ...unused })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    throw error;
  }
}
