import { hours } from '../lib/clock.ts';
import { blankAccounts, countAccountsToBlank } from './blank-accounts.ts';
import { blankTombstones, countTombstonesToBlank } from './blank-tombstones.ts';
import type { Job, JobResult, JobRun } from './job.ts';
import { countBlobsToPurge, purgeBlobs, quarantinedSince, quarantineLasts, unusedSince } from './purge-blobs.ts';

/** Time for which deleted bytes are kept in storage. */
export const purgeGrace = hours(24);

/**
 * Permanently deletes what was deleted a day ago: bytes that no file uses, names of files, and the identity of owners
 * of closed accounts. It also deletes bytes that have been in quarantine for 90 days; bytes that a takedown withheld
 * are kept.
 */
export const purge: Job = {
  name: 'purge',
  pattern: '7 * * * *',
  deletesByAge: true,
  run: (run) => purgeDeleted(run, purgeGrace),
};

/**
 * Purges what was deleted at least `grace` milliseconds ago. No deletion limit applies: deletions by a rule have
 * already passed one, and owners may delete what they want. The statement itself keeps bytes that a live file shares.
 */
export async function purgeDeleted(run: JobRun, grace: number): Promise<JobResult> {
  const { context, dryRun } = run;
  const now = context.clock.now();
  const until = now - grace;
  const [unused, quarantined] = [unusedSince(until), quarantinedSince(now - quarantineLasts)];
  if (dryRun)
    return {
      ...sumOf(await countBlobsToPurge(context, unused), await countBlobsToPurge(context, quarantined)),
      names: await countTombstonesToBlank(context, until),
      accounts: await countAccountsToBlank(context, until),
    };
  return {
    ...sumOf(await purgeBlobs(run, unused), await purgeBlobs(run, quarantined)),
    names: await blankTombstones(run, until),
    accounts: await blankAccounts(run, until),
  };
}

interface Purged {
  readonly blobs: number;
  readonly bytes: number;
}

const sumOf = (one: Purged, other: Purged): Purged => ({
  blobs: one.blobs + other.blobs,
  bytes: one.bytes + other.bytes,
});
