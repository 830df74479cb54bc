import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { type ListedAccount, listAccounts } from '@holdfast/server/src/accounts/list-accounts.ts';
import { knownAccount } from '@holdfast/server/src/accounts/known-account.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import type { Command } from 'commander';
import { planLevel, wholeNumber } from '../arguments.ts';
import { describe } from '../describe.ts';
import { openFor } from '../open-for.ts';
import { cells, count, size, time } from '../words.ts';

interface Options {
  readonly search?: string;
  readonly plan?: PlanLevel;
  readonly repeatInfringers?: number;
  readonly limit: number;
  readonly after?: string;
}

export function addAccountList(group: Command): void {
  describe(group.command('list'), {
    does: 'List the open accounts, oldest first.',
    examples: [
      ['account list --search example.com', 'whose address contains example.com'],
      ['account list --repeat-infringers 3', 'from whom three notices or more took files'],
      ['account list --limit 100 --after ada@example.com', 'a page of a hundred, after this account'],
      ['account list --json | jq -r .email', 'every address'],
    ],
  })
    .option('--search <text>', 'a part of the address')
    .option('--plan <plan>', 'only this plan', planLevel)
    .option('--repeat-infringers <n>', 'only with so many takedowns or more', wholeNumber)
    .option('--limit <n>', 'how many at most; 0 is all', wholeNumber, 0)
    .option('--after <address>', 'begin after this account')
    .action(async ({ search, plan, repeatInfringers, limit, after }: Options, command: Command) => {
      await using run = await openFor(command);
      let shown = 0;
      const last = after === undefined ? undefined : await knownAccount(run.context, after);
      const found = listAccounts(run.context, { search, plan, takedownsFrom: repeatInfringers, after: last?.id });
      for await (const account of found) {
        run.signal.throwIfAborted();
        if (limit > 0 && shown === limit) break;
        shown += 1;
        await run.out.row(asJson(account), asText(account));
      }
      if (!run.out.json) run.out.say({}, count(shown, 'account'));
    });
}

const asJson = (account: ListedAccount) => ({
  id: account.id,
  email: account.email,
  plan: account.level,
  verified: account.verified,
  space_used: account.spaceUsed,
  slots_used: account.slotsUsed,
  takedowns: account.takedowns,
  created: timeText(account.createdAt),
  last_active: timeText(account.lastActiveAt),
});

const asText = (account: ListedAccount) =>
  cells(
    [account.email, 32],
    [account.level, 8],
    [account.verified ? '' : 'unverified', 10],
    [count(account.slotsUsed, 'file'), 12],
    [size(account.spaceUsed), 9],
    [account.takedowns === 0 ? '' : count(account.takedowns, 'takedown'), 12],
    [time(account.lastActiveAt), 0],
  );
