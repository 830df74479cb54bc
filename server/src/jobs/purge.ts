import type { ExpressionBuilder } from 'kysely';
import { days, hours } from '../lib/clock.ts';
import type { Schema } from '../storage/db/schema.ts';
import { skipLocked } from '../storage/db/skip-locked.ts';
import { eraseFileNames, eraseOwners } from './erase-names.ts';
import { batchSize, inBatches, type Job, type JobResult, type JobRun } from './job.ts';
import type { Rule } from './unused-files.ts';

export const purgeGrace = hours(24);

/** Until then they can be given back if the scanner was wrong. */
const quarantineLasts = days(90);

/** Bytes that a takedown withheld are kept. */
export const purge: Job = {
  name: 'purge',
  pattern: '7 * * * *',
  deletesByAge: true,
  run: (run) => purgeDeleted(run, purgeGrace, { endsQuarantines: true }),
};

/**
 * No deletion limit applies: deletions by a rule have already passed one. Quarantines end by their age, so only the job
 * ends them, which pauses after the clock has jumped.
 */
export async function purgeDeleted(run: JobRun, grace: number, { endsQuarantines = false } = {}): Promise<JobResult> {
  const now = run.context.clock.now();
  const unused = await purgeBlobs(run, unusedSince(now - grace));
  const quarantined = endsQuarantines
    ? await purgeBlobs(run, quarantinedSince(now - quarantineLasts))
    : { blobs: 0, bytes: 0 };
  return {
    blobs: unused.blobs + quarantined.blobs,
    bytes: unused.bytes + quarantined.bytes,
    names: await eraseFileNames(run, now - grace),
    accounts: await eraseOwners(run, now - grace),
  };
}

/**
 * The row is deleted first: equal bytes uploaded from then on are stored anew. A process killed in between leaves bytes
 * without a row, which the sweep finds.
 */
async function purgeBlobs({ context, dryRun, signal }: JobRun, which: Rule<'blobs'>) {
  const { db } = context;
  const doomed = db.selectFrom('blobs').where(which).where(isNobodys);
  if (dryRun) {
    const sums = doomed.select((eb) => [
      eb.fn.countAll<number>().as('blobs'),
      eb.fn.sum<number | string | null>('size').as('bytes'),
    ]);
    const { blobs, bytes } = await sums.executeTakeFirstOrThrow();
    // PostgreSQL returns sums of bigint in a wider type, as text.
    return { blobs, bytes: Number(bytes ?? 0) };
  }
  let bytes = 0;
  const blobs = await inBatches(signal, async () => {
    // A concurrent upload that starts to use a blob either comes first, and the row is kept, or finds no row.
    const gone = await db.transaction().execute((tx) =>
      tx
        .deleteFrom('blobs')
        // No other condition: PostgreSQL might run the query once for each row.
        .where('id', 'in', skipLocked(tx, doomed.select('id').limit(batchSize)))
        .returning(['id', 'size'])
        .execute(),
    );
    const ids = gone.map(({ id }) => id);
    await context.blobs.remove(...ids);
    bytes += gone.reduce((sum, { size }) => sum + size, 0);
    return gone.length;
  });
  return { blobs, bytes };
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
