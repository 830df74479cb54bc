import { knownAccount } from '@holdfast/server/src/accounts/find-account.ts';
import type { AccountRow } from '@holdfast/server/src/storage/db/schema.ts';
import type { Command } from 'commander';
import { addCommand, type Description } from './add-command.ts';
import { Refused } from './explain.ts';
import { type Run, withRun } from './run.ts';

export const addAccountCommand = (group: Command, name: string, description: Description) =>
  addCommand(group, name, description).argument('<address>', 'of the account');

/** Returns the action of a command on one open account. */
export const withAccount = (work: (run: Run, account: AccountRow, ...args: never[]) => Promise<void>) =>
  withRun(async (run, address: string, ...args: never[]) =>
    work(run, await knownAccount(run.context, address), ...args),
  );

export const closedNow = (email: string) => new Refused(`The account ${email} was closed a moment ago.`);
