import { closeAccount } from '@holdfast/server/src/accounts/close-account.ts';
import { knownAccount } from '@holdfast/server/src/accounts/known-account.ts';
import { emptyAccount } from '@holdfast/server/src/files/empty-account.ts';
import { recordAction } from '@holdfast/server/src/accounts/record-action.ts';
import type { Command } from 'commander';
import { confirm } from '../confirm.ts';
import { describe } from '../describe.ts';
import { noMemory } from '../no-memory.ts';
import { openFor } from '../open-for.ts';
import { count, size } from '../words.ts';

export function addAccountDelete(group: Command): void {
  describe(group.command('delete'), {
    does: 'Delete an account with all its files, as its owner could.',
    more: 'Its links stop at once, its subscription is canceled, and its owner gets a letter. There is no way back.',
    examples: [
      ['account delete ada@example.com', 'asks for the address once more'],
      [
        'account delete ada@example.com --yes --because "repeat infringer"',
        'asks nothing, and says why in the audit log',
      ],
    ],
  })
    .argument('<address>', 'of the account')
    .option('--yes', 'do not ask')
    .option('--because <text>', 'why, for the audit log')
    .action(async (named: string, options: { readonly yes?: true; readonly because?: string }, command: Command) => {
      await using run = await openFor(command);
      const { context, actor, signal, out } = run;
      const account = await knownAccount(context, named);
      const { email, slots_used: files, space_used } = account;
      const what = `${count(files, 'file')} (${size(space_used)})`;
      await confirm(`This deletes the account ${email} with ${what} for good.`, email, {
        yes: options.yes === true,
        signal,
      });
      const details = { files, bytes: space_used, plan: account.level, because: options.because ?? null };
      await closeAccount(context, account, (tx) =>
        recordAction({ ...context, db: tx }, actor, { subject: email, details }),
      );
      await emptyAccount(context, noMemory, account.id, signal);
      out.say({ email, files, bytes: space_used }, `${email} is deleted, with ${what}.`);
    });
}
