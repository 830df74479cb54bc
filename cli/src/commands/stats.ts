import { gatherStats, type Stats } from '@holdfast/server/src/maintenance/gather-stats.ts';
import type { Command } from 'commander';
import { describe } from '../describe.ts';
import { openFor } from '../open-for.ts';
import { count, sheet, size } from '../words.ts';

export function addStats(program: Command): void {
  describe(program.command('stats'), {
    does: 'Count accounts, files and bytes.',
    examples: [
      ['stats', 'for people'],
      ['stats --json | jq .stored.bytes', 'what the storage holds'],
    ],
  }).action(async (_options: unknown, command: Command) => {
    await using run = await openFor(command);
    const stats = await gatherStats(run.context);
    run.out.say(asJson(stats), asText(stats));
  });
}

const asJson = ({ accounts, plans, files, stored, unused, withheld, takedowns, lettersWaiting, payments }: Stats) => ({
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
  letters_waiting: lettersWaiting,
  payments: { paying: payments.paying, unknown_customers: payments.unknown, to_end: payments.toEnd },
});

function asText({
  accounts,
  plans,
  files,
  stored,
  unused,
  withheld,
  takedowns,
  lettersWaiting,
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
    ['Waiting for the purge', bytes(unused)],
    ['Withheld', `${bytes(withheld)}, ${count(withheld.blockedDigests, 'digest')} blocked`],
    [
      'Takedowns',
      `${count(takedowns.openCases, 'open case')} against ${count(takedowns.accounts, 'account')}, ${takedowns.repeatInfringers} of them repeatedly`,
    ],
    ['Letters waiting', String(lettersWaiting)],
    [
      'Payments',
      `${count(payments.paying, 'account')} paying, ${count(payments.unknown, 'customer')} unknown to the provider, ${count(payments.toEnd, 'deleted account')} to end`,
    ],
  ]);
}
