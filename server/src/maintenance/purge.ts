import { days, hours } from '../lib/clock.ts';
import { blankAccounts, countAccountsToBlank } from './blank-accounts.ts';
import { blankTombstones, countTombstonesToBlank } from './blank-tombstones.ts';
import type { Job, JobResult, JobRun } from './job.ts';
import { dateBackDeletions } from './date-back-deletions.ts';
import { countBlobsToPurge, purgeBlobs, quarantinedSince, unusedSince } from './purge-blobs.ts';

/** How long what was deleted stays in storage (decisions section 4). */
export const purgeGrace = hours(24);
/** How long malware can be given back, should the scanner have been wrong. */
const quarantineLasts = days(90);

/**
 * What was deleted a day ago leaves for good: bytes that no file uses, names of files, and who had a closed account. So
 * do bytes that have been in quarantine for 90 days; what a takedown took stays.
 */
export const purge: Job = {
  name: 'purge',
  pattern: '7 * * * *',
  run: (run) => purgeDeleted(run, purgeGrace),
};

/**
 * Purges what was deleted at least `grace` milliseconds ago. No brake stands here: what a rule deletes has passed one,
 * and what owners delete is theirs. Bytes that a live file shares are kept by the statement itself.
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
  await dateBackDeletions(run);
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
