import { type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { erasedOwner } from '../accounts/close-account.ts';
import type { Schema } from '../storage/db/schema.ts';
import { skipLocked } from '../storage/db/skip-locked.ts';
import { batchSize, inBatches, inPages, type JobRun } from './job.ts';

/** The stored name is kept, because it is never reused. */
export async function eraseFileNames({ context: { db }, dryRun, signal }: JobRun, until: number): Promise<number> {
  if (dryRun) {
    const counted = db.selectFrom('files').select((eb) => eb.fn.countAll<number>().as('names'));
    return (await counted.where(hasErasableName(until)).executeTakeFirstOrThrow()).names;
  }
  // Without paging a statement might read many withheld files, which keep their names.
  const pages = inPages(signal, (last?: { readonly id: string; readonly deleted_at: number | null }) =>
    db
      .selectFrom('files')
      .select(['id', 'deleted_at'])
      .where('deleted_at', '<=', until)
      .where(hasName)
      .where((eb) => eb(eb.refTuple('deleted_at', 'id'), '>', eb.tuple(last?.deleted_at ?? 0, last?.id ?? '')))
      .orderBy('deleted_at')
      .orderBy('id')
      .limit(batchSize)
      .execute(),
  );
  let erased = 0;
  for await (const page of pages) {
    const ids = page.map(({ id }) => id);
    const some = db.selectFrom('files').select('id').where('id', 'in', ids).where(hasErasableName(until));
    const { numUpdatedRows } = await db
      .updateTable('files')
      .set({ original_name: '', search_text: '', upload_key: null })
      .where('id', 'in', skipLocked(db, some))
      .executeTakeFirstOrThrow();
    erased += Number(numUpdatedRows);
  }
  return erased;
}

/** Written out so that the partial index is used. */
const hasName = sql<SqlBool>`files.original_name <> ''`;

/** A withheld file can be given back while its bytes have a row. */
const hasErasableName = (until: number) => (eb: ExpressionBuilder<Schema, 'files'>) =>
  eb.and([
    eb('files.deleted_at', '<=', until),
    hasName,
    eb.or([
      eb('files.deleted_because', 'is', null),
      eb('files.deleted_because', 'not in', ['malware', 'takedown']),
      eb.not(eb.exists(eb.selectFrom('blobs').select('blobs.id').whereRef('blobs.id', '=', 'files.blob_id'))),
    ]),
  ]);

/** The row is kept for the names of its files. */
export async function eraseOwners({ context: { db }, dryRun, signal }: JobRun, until: number): Promise<number> {
  const closed = db
    .selectFrom('accounts')
    .where('closed_at', '<=', until)
    // Written out so that the partial index is used.
    .where(sql<SqlBool>`email <> ''`);
  if (dryRun) {
    const counted = closed.select((eb) => eb.fn.countAll<number>().as('accounts'));
    return (await counted.executeTakeFirstOrThrow()).accounts;
  }
  const activity = db.selectFrom('activity').select('id').where('account_id', 'in', closed.select('id'));
  // Runs first, because it is found through accounts that still have an address.
  await inBatches(signal, async () => {
    const some = skipLocked(db, activity.limit(batchSize));
    return Number((await db.deleteFrom('activity').where('id', 'in', some).executeTakeFirstOrThrow()).numDeletedRows);
  });
  return inBatches(signal, async () => {
    const some = skipLocked(db, closed.select('id').limit(batchSize));
    const erasing = db.updateTable('accounts').set(erasedOwner).where('id', 'in', some);
    return Number((await erasing.executeTakeFirstOrThrow()).numUpdatedRows);
  });
}
