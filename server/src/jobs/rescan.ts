import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { days, hours } from '../lib/clock.ts';
import { blobsToRescan, rescanBlobs } from '../moderation/rescan-blobs.ts';
import { countRows } from '../storage/db/batches.ts';
import { DeletionLimitExceeded } from './deletion-limit.ts';
import type { Job, JobRun } from './job.ts';

const scannedAgainAfter = hours(24);

/** A bad signature finds something everywhere: what is over the deletion limit of a week waits for an operator. */
export const rescan: Job = {
  name: 'rescan',
  pattern: '23 * * * *',
  hasDeletionLimit: true,
  async run(run) {
    const { context, dryRun, signal, passOver } = run;
    const none = { scanned: 0, infected: 0, quarantined: 0 };
    if (!context.scanner.scans) return none;
    const before = context.clock.now() - scannedAgainAfter;
    if (dryRun) return { ...none, scanned: await countRows(blobsToRescan(context, before)) };
    const { waiting, ...done } = await rescanBlobs(context, before, signal, await openLimit(run), passOver);
    if (waiting > 0) throw tooMany(waiting);
    return done;
  },
};

/** While an alarm stands, only finds that an operator allows are quarantined. */
async function openLimit({ context: { db, clock }, deletionLimit }: JobRun): Promise<(found: number) => boolean> {
  const { allowed } = deletionLimit;
  if (allowed !== null) return (found) => found <= allowed;
  const alarms = db
    .selectFrom('jobs')
    .where('name', '=', rescan.name)
    .where('deletion_limit_exceeded_at', 'is not', null);
  if ((await countRows(alarms)) > 0) return () => false;
  const finds = await countRows(db.selectFrom('rescan_finds').where('found_at', '>', clock.now() - days(7)));
  const inUse = await countInUse(db);
  return (found) => deletionLimit.admits(finds + found, inUse);
}

async function countInUse(db: Context['db']): Promise<number> {
  // Written out so that the partial index is used.
  const { rows } = await sql<{ blobs: number }>`SELECT count(*) AS blobs FROM blobs WHERE used_by > 0`.execute(db);
  return rows[0]?.blobs ?? 0;
}

function tooMany(suspects: number): DeletionLimitExceeded {
  const what = suspects === 1 ? '1 stored file looks' : `${suspects} stored files look`;
  return new DeletionLimitExceeded(
    `${what} infected and wait for 'holdfast jobs run ${rescan.name} --allow ${suspects}', because that is too much for one week or an alarm stands.`,
  );
}
