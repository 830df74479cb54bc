import { days } from '../lib/clock.ts';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Context } from '../context.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';
import { skipLocked } from '../storage/db/skip-locked.ts';
import type { Schema } from '../storage/db/schema.ts';
import { batchSize, inBatches } from './in-batches.ts';
import type { JobRun } from './job.ts';

/** Condition that selects the blobs to delete. */
type Which = (eb: ExpressionBuilder<Schema, 'blobs'>) => Expression<SqlBool>;

/**
 * Deletes the blobs that match `which` and that no live file uses. The row is deleted first: equal bytes uploaded from
 * then on are stored anew. A process killed in between leaves bytes without a row, which the sweep finds.
 */
export async function purgeBlobs({ context, signal }: JobRun, which: Which): Promise<{ blobs: number; bytes: number }> {
  let bytes = 0;
  const blobs = await inBatches(signal, async () => {
    const gone = await takeRows(context, which);
    await context.blobs.remove(...gone.map(({ id }) => id));
    bytes += gone.reduce((sum, { size }) => sum + size, 0);
    return gone.length;
  });
  return { blobs, bytes };
}

export async function countBlobsToPurge({ db }: Context, which: Which): Promise<{ blobs: number; bytes: number }> {
  const { blobs, bytes } = await db
    .selectFrom('blobs')
    .select((eb) => [eb.fn.countAll<number>().as('blobs'), eb.fn.sum<number | string | null>('size').as('bytes')])
    .where(which)
    .where(isNobodys)
    .executeTakeFirstOrThrow();
  // PostgreSQL returns sums of bigint in a wider type, as text.
  return { blobs, bytes: Number(bytes ?? 0) };
}

interface Gone {
  readonly id: BlobId;
  readonly size: number;
}

/** A concurrent upload that starts to use a blob either comes first, and the row is kept, or finds no row. */
function takeRows({ db }: Context, which: Which): Promise<Gone[]> {
  return db.transaction().execute((tx) => {
    const some = tx.selectFrom('blobs').select('id').where(which).where(isNobodys).limit(batchSize);
    return (
      tx
        .deleteFrom('blobs')
        // No other condition: the rows were checked when they were locked, and PostgreSQL might run `some` once for
        // each row.
        .where('id', 'in', skipLocked(tx, some))
        .returning(['id', 'size'])
        .execute()
    );
  });
}

/** Blobs that no file has used since `until`, unless they are held. */
export const unusedSince =
  (until: number): Which =>
  (eb) =>
    eb.and([eb('blobs.unused_since', '<=', until), eb('blobs.held_for', 'is', null)]);

/** Time within which quarantined files can be given back if the scanner was wrong. */
export const quarantineLasts = days(90);

/** Blobs held as malware since `until`, unless an open case needs them. */
export const quarantinedSince =
  (until: number): Which =>
  (eb) =>
    eb.and([
      eb('blobs.held_for', '=', 'malware'),
      eb('blobs.held_at', '<=', until),
      eb.not(
        eb.exists(
          eb
            .selectFrom('takedown_cases')
            .select('takedown_cases.reference')
            .whereRef('takedown_cases.sha256', '=', 'blobs.sha256')
            .where('takedown_cases.closed_at', 'is', null),
        ),
      ),
    ]);

/** The use count should be enough, but deleted bytes cannot be recovered, so the files are checked as well. */
const isNobodys: Which = (eb) =>
  eb.and([
    eb('blobs.used_by', '=', 0),
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
