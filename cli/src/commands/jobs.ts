import type { Command } from 'commander';
import { addJobsList } from './jobs-list.ts';
import { addJobsRun } from './jobs-run.ts';

export function addJobs(program: Command): void {
  const group = program.command('jobs').description('See how the jobs of maintenance went, and run one.');
  addJobsList(group);
  addJobsRun(group);
}
