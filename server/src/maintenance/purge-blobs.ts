import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../context.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import { skipLocked } from '../engines/database/skip-locked.ts';
import type { Schema } from '../engines/database/schema.ts';
import { batchSize, inBatches } from './in-batches.ts';
import type { JobRun } from './job.ts';

const removedAtOnce = 16;

/**
 * Removes blobs that no file has used since `until`, unless they are held. The row goes first: equal bytes that are
 * uploaded from then on are stored anew. Killed in between, it leaves bytes without a row, which the sweep finds.
 */
export async function purgeBlobs(
  { context, memory, signal }: JobRun,
  until: number,
): Promise<{ blobs: number; bytes: number }> {
  let bytes = 0;
  const blobs = await inBatches(signal, async () => {
    const gone = await takeRows(context, until);
    memory.forget(gone.map(({ id }) => id));
    await removeBytes(context, gone);
    bytes += gone.reduce((sum, { size }) => sum + size, 0);
    return gone.length;
  });
  return { blobs, bytes };
}

export async function countUnusedBlobs({ db }: Context, until: number): Promise<{ blobs: number; bytes: number }> {
  const { blobs, bytes } = await db
    .selectFrom('blobs')
    .select((eb) => [eb.fn.countAll<number>().as('blobs'), eb.fn.sum<number | string | null>('size').as('bytes')])
    .where(isUnused(until))
    .executeTakeFirstOrThrow();
  // PostgreSQL's sum of bigint is of a wider type, which comes as text.
  return { blobs, bytes: Number(bytes ?? 0) };
}

interface Gone {
  readonly id: BlobId;
  readonly size: number;
}

/** Whoever takes a blob into use at this moment has done so before, and its row stays, or finds no row. */
async function takeRows({ db }: Context, until: number): Promise<Gone[]> {
  return (await db
    .deleteFrom('blobs')
    .where('id', 'in', skipLocked(db, db.selectFrom('blobs').select('id').where(isUnused(until)).limit(batchSize)))
    .where(isUnused(until))
    .returning(['id', 'size'])
    .execute()) as Gone[];
}

/** The count of uses should be enough; promise 4 of reliability.md is worth a second look, at the files themselves. */
const isUnused = (until: number) => (eb: ExpressionBuilder<Schema, 'blobs'>) =>
  eb.and([
    eb('blobs.used_by', '=', 0),
    eb('blobs.unused_since', '<=', until),
    eb('blobs.held_for', 'is', null),
    eb.not(
      eb.exists(
        eb
          .selectFrom('files')
          .select('files.id')
          .whereRef('files.blob_id', '=', 'blobs.id')
          .where('files.deleted_at', 'is', null),
      ),
    ),
  ]);

async function removeBytes({ blobs }: Context, gone: readonly Gone[]): Promise<void> {
  for (let from = 0; from < gone.length; from += removedAtOnce) {
    const some = gone.slice(from, from + removedAtOnce);
    await Promise.all(some.map(({ id }) => blobs.remove(id)));
  }
}
