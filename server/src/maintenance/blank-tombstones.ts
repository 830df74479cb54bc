import { type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { Context } from '../context.ts';
import { skipLocked } from '../engines/database/skip-locked.ts';
import type { Schema } from '../engines/database/schema.ts';
import { batchSize, inBatches } from './in-batches.ts';
import type { JobRun } from './job.ts';

/** What a file was called goes a while after the file; its stored name stays, because it is never used again. */
export async function blankTombstones({ context: { db }, signal }: JobRun, until: number): Promise<number> {
  // What stays, because its bytes are held, is passed over once and not with each batch.
  let from = 0;
  return inBatches(signal, async () => {
    const some = db
      .selectFrom('files')
      .select('id')
      .where(tellsItsName(until))
      .where('deleted_at', '>=', from)
      .orderBy('deleted_at')
      .limit(batchSize);
    const blanked = await db
      .updateTable('files')
      .set({ original_name: '', search_text: '' })
      .where('id', 'in', skipLocked(db, some))
      .returning('deleted_at')
      .execute();
    from = blanked.reduce((latest, { deleted_at }) => Math.max(latest, deleted_at ?? 0), from);
    return blanked.length;
  });
}

export async function countTombstonesToBlank({ db }: Context, until: number): Promise<number> {
  const counted = db.selectFrom('files').select((eb) => eb.fn.countAll<number>().as('names'));
  return (await counted.where(tellsItsName(until)).executeTakeFirstOrThrow()).names;
}

/** What was withheld may be given back, as it was, while its bytes are held. */
const tellsItsName = (until: number) => (eb: ExpressionBuilder<Schema, 'files'>) =>
  eb.and([
    eb('files.deleted_at', '<=', until),
    // Written out, so that the index of just these rows is used.
    sql<SqlBool>`files.original_name <> ''`,
    eb.or([
      eb('files.deleted_because', 'is', null),
      eb('files.deleted_because', 'not in', ['malware', 'takedown']),
      eb.not(
        eb.exists(
          eb
            .selectFrom('blobs')
            .select('blobs.id')
            .whereRef('blobs.id', '=', 'files.blob_id')
            .where('blobs.held_for', 'is not', null),
        ),
      ),
    ]),
  ]);
