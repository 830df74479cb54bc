import { knownAccount, knownAccountId } from '@holdfast/server/src/accounts/known-account.ts';
import { recordAction } from '@holdfast/server/src/accounts/record-action.ts';
import { findSubscription } from '@holdfast/server/src/billing/find-subscription.ts';
import { forgetPayments, mayForget } from '@holdfast/server/src/billing/forget-payments.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import type { Command } from 'commander';
import { confirm } from '../confirm.ts';
import { describe } from '../describe.ts';
import { Refused, WrongUsage } from '../explain.ts';
import { openFor } from '../open-for.ts';
import { time } from '../words.ts';

interface Options {
  readonly id?: string;
  readonly yes?: true;
  readonly because?: string;
}

export function addAccountForgetPayments(group: Command): void {
  describe(group.command('forget-payments'), {
    does: 'Forget a customer whom the payment provider does not know.',
    more:
      'For customers of a sandbox, or of an account at the provider that is given up. A deleted account is named by its id, ' +
      'as the log has it, and is no longer to be ended; an open one loses the plan that it had by this customer. Nothing ' +
      'is ended at the provider.',
    examples: [
      ['account forget-payments ada@example.com', 'asks for the address once more'],
      ['account forget-payments --id=-P73Zhg2m-pQ8sLw4Zt_ --yes', 'for a deleted account, and asks nothing'],
    ],
  })
    .argument('[address]', 'of an open account')
    .option('--id <id>', 'of any account, instead of its address')
    .option('--yes', 'do not ask')
    .option('--because <text>', 'why, for the audit log')
    .action(async (address: string | undefined, options: Options, command: Command) => {
      const named = options.id ?? address;
      if (named === undefined || (options.id !== undefined && address !== undefined))
        throw new WrongUsage('Name the account, either by its address or by --id.');
      await using run = await openFor(command);
      const { context, actor, signal, out } = run;
      const account = await (options.id === undefined ? knownAccount : knownAccountId)(context, named);
      const isClosed = account.closed_at !== null;
      const who = isClosed ? `the deleted account ${account.id}` : account.email;
      const nothing = new Refused(
        isClosed
          ? `Nothing is to be forgotten: no end of a subscription is outstanding for ${who}.`
          : `Nothing is to be forgotten: the payment provider has not said that it does not know the customer of ${who}.`,
      );
      const row = await findSubscription(context, account.id);
      if (!mayForget(row)) throw nothing;
      const customer = row.customer_id ?? 'that is looked for';
      const since =
        row.unknown_since === null ? '' : `, unknown to the payment provider since ${time(row.unknown_since)}`;
      await confirm(
        `This forgets the customer ${customer} of ${who}${since}. What it may pay for goes on at the provider.`,
        named,
        { yes: options.yes === true, signal },
      );
      const plan = await forgetPayments(context, account, (tx, forgotten) =>
        recordAction({ ...context, db: tx }, actor, {
          subject: isClosed ? account.id : account.email,
          details: {
            customer: forgotten.customer_id,
            unknown_since: forgotten.unknown_since === null ? null : timeText(forgotten.unknown_since),
            plan: account.level,
            because: options.because ?? null,
          },
        }),
      );
      if (plan === null) throw nothing;
      out.say(
        { account: account.id, customer: row.customer_id, plan: isClosed ? null : plan },
        `The customer ${customer} of ${who} is forgotten.`,
      );
    });
}
