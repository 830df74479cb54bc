import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { Context } from '../context.ts';
import type { Database } from '../storage/db/database.ts';
import { skipLocked } from '../storage/db/skip-locked.ts';
import type { Schema } from '../storage/db/schema.ts';
import { batchSize } from './in-batches.ts';
import type { JobRun } from './job.ts';

/**
 * Erases the original name of a file some time after the file was deleted. The stored name is kept, because it is never
 * reused. A withheld file keeps its original name while its bytes have a row, because until then it can be given back.
 */
export async function blankTombstones({ context: { db }, signal }: JobRun, until: number): Promise<number> {
  let blanked = 0;
  for await (const ids of tombstonesWithNames(db, until)) {
    signal.throwIfAborted();
    const some = db.selectFrom('files').select('id').where('id', 'in', ids).where(tellsItsName(until));
    const { numUpdatedRows } = await db
      .updateTable('files')
      .set({ original_name: '', search_text: '', upload_key: null })
      .where('id', 'in', skipLocked(db, some))
      .executeTakeFirstOrThrow();
    blanked += Number(numUpdatedRows);
    await nextTurn();
  }
  return blanked;
}

export async function countTombstonesToBlank({ db }: Context, until: number): Promise<number> {
  const counted = db.selectFrom('files').select((eb) => eb.fn.countAll<number>().as('names'));
  return (await counted.where(tellsItsName(until)).executeTakeFirstOrThrow()).names;
}

/**
 * Pages through one index, each page after the last row of the one before. Withheld files keep their names, so without
 * paging a statement might read many of them; this way it reads at most one page and no row twice.
 */
async function* tombstonesWithNames(db: Database, until: number): AsyncGenerator<string[]> {
  for (let [time, id] = [0, '']; ;) {
    const [afterTime, afterId] = [time, id];
    const page = await db
      .selectFrom('files')
      .select(['id', 'deleted_at'])
      .where('deleted_at', '<=', until)
      .where(hasName)
      .where((eb) => eb(eb.refTuple('deleted_at', 'id'), '>', eb.tuple(afterTime, afterId)))
      .orderBy('deleted_at')
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const last = page.at(-1);
    if (last === undefined) return;
    [time, id] = [last.deleted_at ?? 0, last.id];
    yield page.map((row) => row.id);
  }
}

/** Written out so that the partial index is used. */
const hasName = sql<SqlBool>`files.original_name <> ''`;

const tellsItsName = (until: number) => (eb: ExpressionBuilder<Schema, 'files'>) =>
  eb.and([
    eb('files.deleted_at', '<=', until),
    hasName,
    eb.or([
      eb('files.deleted_because', 'is', null),
      eb('files.deleted_because', 'not in', ['malware', 'takedown']),
      eb.not(eb.exists(eb.selectFrom('blobs').select('blobs.id').whereRef('blobs.id', '=', 'files.blob_id'))),
    ]),
  ]);
