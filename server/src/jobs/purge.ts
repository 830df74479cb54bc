import { restorableHours } from '@holdfast/contract/src/limits.ts';
import { type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { erasedOwner } from '../accounts/close-account.ts';
import { removeBytesOf } from '../files/remove-bytes.ts';
import { daysAgo } from '../lib/calendar-days.ts';
import { hours } from '../lib/clock.ts';
import type { Schema } from '../storage/db/schema.ts';
import { type BlobId, BlobsNotRemoved } from '../storage/blobs/blobs.ts';
import { requireOwnStorage } from '../storage/blobs/storage-owner.ts';
import { skipLocked } from '../storage/db/lock-rows.ts';
import type { Job, JobResult, JobRun } from './job.ts';
import { batchSize, countRows, inBatches, inPages } from '../storage/db/batches.ts';
import type { Rule } from './delete-files.ts';

export const purgeGrace = hours(restorableHours);

const quarantineDays = 90;

export const purge: Job = {
  name: 'purge',
  pattern: '7 * * * *',
  deletesByAge: true,
  run: (run) => purgeDeleted(run, purgeGrace, { endsQuarantines: true }),
};

/** No deletion limit applies: deletions by a rule have already passed one. */
export async function purgeDeleted(run: JobRun, grace: number, { endsQuarantines = false } = {}): Promise<JobResult> {
  const now = run.context.clock.now();
  if (!run.dryRun) await requireOwnStorage(run.context);
  const unused = await purgeBlobs(run, unusedSince(now - grace));
  const quarantined = endsQuarantines
    ? await purgeBlobs(run, quarantinedSince(daysAgo(now, quarantineDays)))
    : { blobs: 0, bytes: 0 };
  return {
    blobs: unused.blobs + quarantined.blobs,
    bytes: unused.bytes + quarantined.bytes,
    names: await eraseFileNames(run, now - grace),
    tombstones: await keepBareNames(run, daysAgo(now, 366)),
    accounts: await eraseOwners(run, now - grace),
  };
}

/** The row is deleted first; the sweep finds the bytes of a process killed in between. */
async function purgeBlobs({ context, dryRun, signal, passOver }: JobRun, which: Rule<'blobs'>) {
  const { db } = context;
  const doomed = db.selectFrom('blobs').where(which).where(isNobodys);
  if (dryRun) {
    // PostgreSQL returns sums of bigint in a wider type, as text.
    const sum = doomed.select((eb) => eb.fn.sum<number | string | null>('size').as('bytes'));
    return { blobs: await countRows(doomed), bytes: Number((await sum.executeTakeFirst())?.bytes ?? 0) };
  }
  const done = { blobs: 0, bytes: 0 };
  await inBatches(signal, async () => {
    const gone = await db.transaction().execute((tx) =>
      tx
        .deleteFrom('blobs')
        // No other condition: PostgreSQL might run the query once for each row.
        .where('id', 'in', skipLocked(tx, doomed.select('id').limit(batchSize)))
        .returningAll()
        .execute(),
    );
    const left = await removeBytesOf(context, gone).then(() => new Map<BlobId, unknown>(), reasonsOf);
    for (const [id, reason] of left) passOver(`blob ${id}`, reason);
    const removed = gone.filter(({ id }) => !left.has(id));
    done.blobs += removed.length;
    done.bytes += removed.reduce((sum, { size }) => sum + size, 0);
    return gone.length;
  });
  return done;
}

function reasonsOf(error: unknown): ReadonlyMap<BlobId, unknown> {
  if (error instanceof BlobsNotRemoved) return error.reasons;
  throw error;
}

type Blobs = ExpressionBuilder<Schema, 'blobs'>;

const unusedSince = (until: number) => (eb: Blobs) =>
  eb.and([eb('blobs.unused_since', '<=', until), eb('blobs.held_for', 'is', null)]);

/** Blobs held as malware, unless an open case needs them. */
const quarantinedSince = (until: number) => (eb: Blobs) =>
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

const isNobodys = (eb: Blobs) =>
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

async function eraseFileNames({ context: { db }, dryRun, signal }: JobRun, until: number): Promise<number> {
  if (dryRun) return countRows(db.selectFrom('files').where(hasErasableName(until)));
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
    // First: a run that is killed in between finds the names again.
    await db.deleteFrom('hit_days').where('file_id', 'in', some).execute();
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

const hasErasableName = (until: number) => (eb: ExpressionBuilder<Schema, 'files'>) =>
  eb.and([hasName, isGone(until)(eb)]);

/** A withheld file can be given back while its bytes have a row. */
const isGone = (until: number) => (eb: ExpressionBuilder<Schema, 'files'>) =>
  eb.and([
    eb('files.deleted_at', '<=', until),
    eb.or([
      eb('files.deleted_because', 'is', null),
      eb('files.deleted_because', 'not in', ['malware', 'takedown']),
      eb.not(eb.exists(eb.selectFrom('blobs').select('blobs.id').whereRef('blobs.id', '=', 'files.blob_id'))),
    ]),
  ]);

/** Both statements are committed on their own: at no instant is the name in neither table. */
async function keepBareNames({ context: { db }, dryRun, signal }: JobRun, until: number): Promise<number> {
  if (dryRun) return countRows(db.selectFrom('files').where(isGone(until)));
  return inBatches(signal, async () => {
    const some = await db.selectFrom('files').select(['id', 'name']).where(isGone(until)).limit(batchSize).execute();
    if (some.length === 0) return 0;
    await db
      .insertInto('used_names')
      .values(some.map(({ name }) => ({ name })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const ids = some.map(({ id }) => id);
    // One that was given back meanwhile stays.
    const deleted = await db.deleteFrom('files').where('id', 'in', ids).where(isGone(until)).executeTakeFirstOrThrow();
    return Number(deleted.numDeletedRows);
  });
}

async function eraseOwners({ context: { db }, dryRun, signal }: JobRun, until: number): Promise<number> {
  const closed = db
    .selectFrom('accounts')
    .where('closed_at', '<=', until)
    // Written out so that the partial index is used.
    .where(sql<SqlBool>`email <> ''`);
  if (dryRun) return countRows(closed);
  const activity = db.selectFrom('activity').select('id').where('account_id', 'in', closed.select('id'));
  // First, because it is found through accounts that still have an address.
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
