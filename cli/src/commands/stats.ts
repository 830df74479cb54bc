import { gatherStats, type Stats } from '@holdfast/server/src/operator/gather-stats.ts';
import type { Command } from 'commander';
import { describeCommand } from '../describe.ts';
import { withRun } from '../open-command.ts';
import { count, sheet, size } from '../format.ts';

export function addStats(program: Command): void {
  describeCommand(program.command('stats'), {
    does: 'Count accounts, files and bytes.',
    examples: [
      ['stats', 'for people'],
      ['stats --json | jq .stored.bytes', 'size of the storage'],
    ],
  }).action(
    withRun(async ({ out, context }) => {
      const stats = await gatherStats(context);
      out.say(asJson(stats), asText(stats));
    }),
  );
}

const asJson = ({ accounts, plans, files, stored, unused, withheld, takedowns, emailsWaiting, payments }: Stats) => ({
  accounts: { open: accounts.open, unverified: accounts.unverified, active_last_30_days: accounts.activeLast30Days },
  plans,
  files,
  stored,
  unused,
  withheld: { blobs: withheld.blobs, bytes: withheld.bytes, blocked_digests: withheld.blockedDigests },
  takedowns: {
    open_cases: takedowns.openCases,
    accounts: takedowns.accounts,
    repeat_infringers: takedowns.repeatInfringers,
  },
  emails_waiting: emailsWaiting,
  payments: { paying: payments.paying, to_end: payments.toEnd },
});

function asText({
  accounts,
  plans,
  files,
  stored,
  unused,
  withheld,
  takedowns,
  emailsWaiting,
  payments,
}: Stats): string {
  const bytes = (of: { readonly blobs: number; readonly bytes: number }) =>
    `${size(of.bytes)} in ${count(of.blobs, 'blob')}`;
  return sheet([
    [
      'Accounts',
      `${accounts.open} open, ${accounts.unverified} unverified, ${accounts.activeLast30Days} active in 30 days`,
    ],
    [
      'Plans',
      Object.entries(plans)
        .map(([level, n]) => `${n} ${level}`)
        .join(', '),
    ],
    ['Files', `${size(files.bytes)} in ${count(files.live, 'live file')}`],
    ['Stored', bytes(stored)],
    ['Waiting for purge', bytes(unused)],
    ['Withheld', `${bytes(withheld)}, ${count(withheld.blockedDigests, 'digest')} blocked`],
    [
      'Takedowns',
      `${count(takedowns.openCases, 'open case')} against ${count(takedowns.accounts, 'account')}, ${takedowns.repeatInfringers} of them repeatedly`,
    ],
    ['Emails waiting', String(emailsWaiting)],
    ['Payments', `${count(payments.paying, 'account')} paying, ${count(payments.toEnd, 'deleted account')} to end`],
  ]);
}
