import { jobs } from '@holdfast/server/src/maintenance/schedule.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import type { Command } from 'commander';
import { describe } from '../describe.ts';
import { openFor } from '../open-for.ts';
import { cells, time } from '../words.ts';

export function addJobsList(group: Command): void {
  describe(group.command('list'), {
    does: 'List the jobs of maintenance: when they run, when they last did, and what stopped them.',
    examples: [
      ['jobs list', 'all of them'],
      ["jobs list --json | jq 'select(.braked)'", 'those that would delete too much'],
    ],
  }).action(async (_options: unknown, command: Command) => {
    await using run = await openFor(command);
    const { context, out } = run;
    const rows = await context.db.selectFrom('jobs').selectAll().execute();
    for (const { name, pattern } of jobs) {
      const row = rows.find((each) => each.name === name);
      const since = (ms: number | null | undefined) => (ms ? timeText(ms) : null);
      const job = {
        name,
        pattern,
        running: (row?.leased_until ?? 0) > context.clock.now(),
        last_started: since(row?.last_started_at),
        last_success: since(row?.last_success_at),
        last_error: row?.last_error ?? null,
        braked: since(row?.braked_at),
        allowed: row?.allowed ?? null,
      };
      const state = job.running ? 'runs now' : job.braked ? 'braked' : job.last_error === null ? '' : 'failed';
      const problem = job.last_error === null ? '' : `\n    ${job.last_error}`;
      const line = cells([name, 24], [pattern, 14], [`last well ${time(row?.last_success_at ?? 0)}`, 30], [state, 0]);
      await out.row(job, line + problem);
    }
  });
}
