import type { Context } from '@holdfast/server/src/context.ts';
import { noteHeartbeat, pauseLeft } from '@holdfast/server/src/jobs/clock-guard.ts';
import { createDeletionLimit } from '@holdfast/server/src/jobs/deletion-limit.ts';
import { createPassedOver } from '@holdfast/server/src/jobs/passed-over.ts';
import { purgeDeleted, purgeGrace } from '@holdfast/server/src/jobs/purge.ts';
import { runJob } from '@holdfast/server/src/jobs/run-job.ts';
import { jobs } from '@holdfast/server/src/jobs/schedule.ts';
import { hours } from '@holdfast/server/src/lib/clock.ts';
import { recordAction } from '@holdfast/server/src/storage/db/record-action.ts';
import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import { wholeNumber } from './arguments.ts';
import { confirm } from './confirm.ts';
import { Refused, WrongUsage } from './explain.ts';
import { cells, count, size, time, timeOrNull } from './format.ts';
import { openCommand, withRun } from './run.ts';

export function addJobs(program: Command): void {
  const group = program.command('jobs').description('List the maintenance jobs, or run one.');
  addJobsList(group);
  addJobsRun(group);
}

function addJobsList(group: Command): void {
  addCommand(group, 'list', {
    does: 'List the maintenance jobs: their schedule, last run and last problem.',
    examples: [
      ['jobs list', 'all of them'],
      ["jobs list --json | jq 'select(.deletion_limit_exceeded_since)'", 'those that exceeded their deletion limit'],
    ],
  }).action(
    withRun(async ({ context, out }) => {
      const rows = await context.db.selectFrom('jobs').selectAll().execute();
      for (const { name, pattern } of jobs) {
        const row = rows.find((each) => each.name === name);
        const job = {
          name,
          pattern,
          running: (row?.leased_until ?? 0) > context.clock.now(),
          last_started: timeOrNull(row?.last_started_at),
          last_success: timeOrNull(row?.last_success_at),
          last_error: row?.last_error ?? null,
          deletion_limit_exceeded_since: timeOrNull(row?.deletion_limit_exceeded_at),
        };
        const last = `last success ${time(row?.last_success_at ?? 0)}`;
        const problem = job.last_error === null ? '' : `\n    ${job.last_error}`;
        await out.row(job, cells([name, 24], [pattern, 14], [last, 30], [markOf(job), 0]) + problem);
      }
    }),
  );
}

function markOf(job: { running: boolean; deletion_limit_exceeded_since: string | null; last_error: string | null }) {
  if (job.running) return 'runs now';
  if (job.deletion_limit_exceeded_since !== null) return 'over the limit';
  return job.last_error === null ? '' : 'failed';
}

function addJobsRun(group: Command): void {
  addCommand(group, 'run', {
    does: 'Run a maintenance job now, regardless of its schedule.',
    more:
      'A job stops before it deletes more than 5% of the total, and rescan stops before it quarantines more than 5% of\n' +
      'the blobs within a week. If the deletions are right, use --allow to permit up to that many in this run.',
    examples: [
      ['jobs run purge --dry-run', 'reports what it would do'],
      ['jobs run auto-delete --allow 20000', 'lets it delete 20,000 files'],
    ],
  })
    .argument('<name>', "a name of 'holdfast jobs list'")
    .option('--dry-run', 'change nothing')
    .option('--allow <n>', 'allow up to this many deletions', wholeNumber)
    .action(async (name: string, { dryRun = false, allow }: { dryRun?: boolean; allow?: number }, command: Command) => {
      const job = jobs.find((each) => each.name === name);
      if (!job) throw new WrongUsage(`There is no job '${name}'. Jobs: ${jobs.map((each) => each.name).join(', ')}.`);
      if (allow !== undefined && !job.hasDeletionLimit) throw new WrongUsage(`The job ${name} has no deletion limit.`);
      await using run = await openCommand(command);
      const { context, actor, signal, out } = run;
      if (!dryRun && job.deletesByAge) await refuseWhilePaused(context);
      if (!dryRun) await recordAction(context, actor, { subject: name, details: { allow: allow ?? null } });
      const result = await runJob(context, job, { dryRun, allowed: allow ?? null, signal });
      if (result === null) throw new Refused(`The job ${name} runs in another process at this moment.`);
      const did = Object.entries(result).map(([what, n]) => `${n.toLocaleString('en')} ${what}`);
      const sentence = did.length === 0 ? count(0, 'change') : did.join(', ');
      out.say({ name, ...result, dry_run: dryRun }, `${name}: ${sentence}${dryRun ? ' (dry run)' : ''}.`);
    });
}

async function refuseWhilePaused(context: Context): Promise<void> {
  await noteHeartbeat(context);
  const left = await pauseLeft(context);
  if (left > 0)
    throw new Refused(
      `The clock jumped, or the service was off: nothing is deleted by its age for ${Math.ceil(left / hours(1))} more hours.`,
    );
}

export function addPurgeNow(program: Command): void {
  addCommand(program, 'purge-now', {
    does: 'Remove deleted files from storage without the 24-hour grace period.',
    more:
      'For a full disk, or bytes that must be removed at once. Bytes held for a case or in quarantine are kept, and so\n' +
      'are bytes that another file shares.',
    examples: [
      ['purge-now --dry-run', 'shows what would be removed'],
      ['purge-now --yes', 'removes it'],
    ],
  })
    .option('--yes', 'do not ask')
    .option('--dry-run', 'change nothing')
    .action(
      withRun(async (run, { yes = false, dryRun = false }: { readonly yes?: boolean; readonly dryRun?: boolean }) => {
        const { context, actor, signal, out } = run;
        const { passOver, failure } = createPassedOver();
        const purgeWith = { context, signal, deletionLimit: createDeletionLimit(null), passOver };
        const planned = await purgeDeleted({ ...purgeWith, dryRun: true }, 0);
        if (dryRun) return out.say({ ...planned, dry_run: true }, `${what(planned)} would be removed.`);
        await confirm(`This permanently removes ${what(planned)}.`, 'purge', { yes, signal });
        await recordAction(context, actor, { subject: 'storage', details: { ...planned, graceMs: purgeGrace } });
        const done = await purgeDeleted({ ...purgeWith, dryRun: false }, 0);
        out.say({ ...done, dry_run: false }, `${what(done)} removed.`);
        const failed = failure();
        if (failed) throw failed;
      }),
    );
}

const what = (done: Readonly<Record<string, number>>) =>
  `${size(done['bytes'] ?? 0)} in ${count(done['blobs'] ?? 0, 'blob')}`;
