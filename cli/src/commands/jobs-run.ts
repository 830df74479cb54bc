import { recordAction } from '@holdfast/server/src/accounts/record-action.ts';
import type { Job } from '@holdfast/server/src/maintenance/job.ts';
import { runJob } from '@holdfast/server/src/maintenance/run-job.ts';
import { jobs } from '@holdfast/server/src/maintenance/schedule.ts';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { describe } from '../describe.ts';
import { Refused, WrongUsage } from '../explain.ts';
import { noMemory } from '../no-memory.ts';
import { openFor } from '../open-for.ts';
import { count } from '../words.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly allow?: number;
}

export function addJobsRun(group: Command): void {
  describe(group.command('run'), {
    does: 'Run a job of maintenance now, wherever its time stands.',
    more:
      'A job stops before it deletes more than one in twenty of what there is, and rescan before it puts more than that\n' +
      'in quarantine within a week. When you have seen that it is right, --allow says how many may go in this run.',
    examples: [
      ['jobs run purge --dry-run', 'says what it would do'],
      ['jobs run auto-delete --allow 20000', 'lets it delete 20,000 files'],
    ],
  })
    .argument('<name>', "a name of 'holdfast jobs list'")
    .option('--dry-run', 'change nothing')
    .option('--allow <n>', 'how many may be deleted, brake or not', wholeNumber)
    .action(async (name: string, { dryRun = false, allow }: Options, command: Command) => {
      const job = jobNamed(name);
      await using run = await openFor(command);
      const { context, actor, signal, out } = run;
      if (!dryRun) await recordAction(context, actor, { subject: name, details: { allow: allow ?? null } });
      const result = await runJob(context, noMemory, job, { dryRun, allowed: allow ?? null, signal });
      if (result === null) throw new Refused(`The job ${name} runs in another process at this moment.`);
      const did = Object.entries(result).map(([what, n]) => `${n.toLocaleString('en')} ${what}`);
      const sentence = did.length === 0 ? count(0, 'change') : did.join(', ');
      out.say({ name, ...result, dry_run: dryRun }, `${name}: ${sentence}${dryRun ? ' (dry run)' : ''}.`);
    });
}

function jobNamed(name: string): Job {
  const job = jobs.find((each) => each.name === name);
  if (!job)
    throw new WrongUsage(`There is no job '${name}'. The jobs are ${jobs.map((each) => each.name).join(', ')}.`);
  return job;
}
