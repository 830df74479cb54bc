import { hours } from '../lib/clock.ts';
import { blankAccounts, countAccountsToBlank } from './blank-accounts.ts';
import { blankTombstones, countTombstonesToBlank } from './blank-tombstones.ts';
import type { Job, JobResult, JobRun } from './job.ts';
import { countUnusedBlobs, purgeBlobs } from './purge-blobs.ts';

/** How long what was deleted stays in storage (decisions section 4). */
export const purgeGrace = hours(24);

/** What was deleted a day ago leaves for good: bytes that no file uses, names of files, and who had a closed account. */
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
  const until = run.context.clock.now() - grace;
  if (run.dryRun)
    return {
      ...(await countUnusedBlobs(run.context, until)),
      names: await countTombstonesToBlank(run.context, until),
      accounts: await countAccountsToBlank(run.context, until),
    };
  return {
    ...(await purgeBlobs(run, until)),
    names: await blankTombstones(run, until),
    accounts: await blankAccounts(run, until),
  };
}
