import { gatherStats, type Stats } from '@holdfast/server/src/operator/stats.ts';
import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import { count, sheet, size } from './format.ts';
import { withRun } from './run.ts';

export function addStats(program: Command): void {
  addCommand(program, 'stats', {
    does: 'Count accounts, files and bytes.',
    examples: [
      ['stats', 'for people'],
      ['stats --json | jq .stored.bytes', 'size of the storage'],
    ],
  }).action(
    withRun(async ({ out, context }) => {
      const stats = await gatherStats(context);
      out.say(stats, asText(stats));
    }),
  );
}

function asText({ accounts, files, stored, unused, withheld, takedowns, payments, ...rest }: Stats): string {
  const bytes = (of: { readonly blobs: number; readonly bytes: number }) =>
    `${size(of.bytes)} in ${count(of.blobs, 'blob')}`;
  const plans = Object.entries(rest.plans).map(([level, n]) => `${n} ${level}`);
  const cases = `${count(takedowns.open_cases, 'open case')} against ${count(takedowns.accounts, 'account')}`;
  const active = `${accounts.active_last_30_days} active in 30 days`;
  return sheet([
    ['Accounts', `${accounts.open} open, ${accounts.unverified} unverified, ${active}`],
    ['Plans', plans.join(', ')],
    ['Files', `${size(files.bytes)} in ${count(files.live, 'live file')}`],
    ['Stored', bytes(stored)],
    ['Waiting for purge', bytes(unused)],
    ['Withheld', `${bytes(withheld)}, ${count(withheld.blocked_digests, 'digest')} blocked`],
    ['Takedowns', `${cases}, ${takedowns.repeat_infringers} of them repeatedly`],
    ['Emails waiting', String(rest.emails_waiting)],
    ['Payments', `${count(payments.paying, 'account')} paying, ${count(payments.to_end, 'deleted account')} to end`],
  ]);
}
