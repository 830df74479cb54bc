import { knownAccount } from '@holdfast/server/src/accounts/known-account.ts';
import { verifyByOperator } from '@holdfast/server/src/accounts/verify-by-operator.ts';
import type { Command } from 'commander';
import { describe } from '../describe.ts';
import { openFor } from '../open-for.ts';

export function addAccountVerify(group: Command): void {
  describe(group.command('verify'), {
    does: 'Confirm the address of an account without its code.',
    examples: [['account verify ada@example.com', 'Ada can sign in, although no mail reaches her']],
  })
    .argument('<address>', 'of the account')
    .action(async (named: string, _options: unknown, command: Command) => {
      await using run = await openFor(command);
      const account = await knownAccount(run.context, named);
      const changed = await verifyByOperator(run.context, run.actor, account);
      const said = changed ? `${account.email} is verified.` : `${account.email} was verified before.`;
      run.out.say({ email: account.email, verified: true, changed }, said);
    });
}
