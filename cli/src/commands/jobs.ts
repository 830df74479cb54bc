import { timeText } from '@holdfast/server/src/lib/clock.ts';
import { jobNamed, jobNames, listJobs, runJobByHand } from '@holdfast/server/src/operator/jobs.ts';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { describeCommand } from '../describe.ts';
import { Refused, WrongUsage } from '../explain.ts';
import { cells, count, time } from '../format.ts';
import { openCommand, withRun } from '../open-command.ts';

export function addJobs(program: Command): void {
  const group = program.command('jobs').description('List the maintenance jobs, or run one.');
  addJobsList(group);
  addJobsRun(group);
}

function addJobsList(group: Command): void {
  describeCommand(group.command('list'), {
    does: 'List the maintenance jobs: their schedule, last run and last problem.',
    examples: [
      ['jobs list', 'all of them'],
      ["jobs list --json | jq 'select(.deletion_limit_exceeded_since)'", 'those that exceeded their deletion limit'],
    ],
  }).action(
    withRun(async ({ context, out }) => {
      for (const state of await listJobs(context)) {
        const since = (ms: number | null) => (ms === null ? null : timeText(ms));
        const job = {
          name: state.name,
          pattern: state.pattern,
          running: state.running,
          last_started: since(state.lastStartedAt),
          last_success: since(state.lastSuccessAt),
          last_error: state.lastError,
          deletion_limit_exceeded_since: since(state.exceededAt),
        };
        const mark = job.running
          ? 'runs now'
          : job.deletion_limit_exceeded_since
            ? 'over the limit'
            : job.last_error === null
              ? ''
              : 'failed';
        const problem = job.last_error === null ? '' : `\n    ${job.last_error}`;
        const last = `last success ${time(state.lastSuccessAt ?? 0)}`;
        const line = cells([state.name, 24], [state.pattern, 14], [last, 30], [mark, 0]);
        await out.row(job, line + problem);
      }
    }),
  );
}

interface RunOptions {
  readonly dryRun?: boolean;
  readonly allow?: number;
}

function addJobsRun(group: Command): void {
  describeCommand(group.command('run'), {
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
    .action(async (name: string, { dryRun = false, allow }: RunOptions, command: Command) => {
      const job = jobNamed(name);
      if (!job) throw new WrongUsage(`There is no job '${name}'. Jobs: ${jobNames.join(', ')}.`);
      if (allow !== undefined && !job.hasDeletionLimit) throw new WrongUsage(`The job ${name} has no deletion limit.`);
      await using run = await openCommand(command);
      const { context, actor, signal, out } = run;
      const result = await runJobByHand(context, actor, job, { dryRun, allow: allow ?? null, signal });
      if (result === null) throw new Refused(`The job ${name} runs in another process at this moment.`);
      const did = Object.entries(result).map(([what, n]) => `${n.toLocaleString('en')} ${what}`);
      const sentence = did.length === 0 ? count(0, 'change') : did.join(', ');
      out.say({ name, ...result, dry_run: dryRun }, `${name}: ${sentence}${dryRun ? ' (dry run)' : ''}.`);
    });
}
