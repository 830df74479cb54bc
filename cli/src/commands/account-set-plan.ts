import { type PlanLevel, plans } from '@holdfast/contract/src/plans.ts';
import { knownAccount } from '@holdfast/server/src/accounts/known-account.ts';
import { recordAction } from '@holdfast/server/src/accounts/record-action.ts';
import { grantPlan } from '@holdfast/server/src/billing/grant-plan.ts';
import { Argument, type Command } from 'commander';
import { planLevel } from '../arguments.ts';
import { describe } from '../describe.ts';
import { Refused } from '../explain.ts';
import { openFor } from '../open-for.ts';

export function addAccountSetPlan(group: Command): void {
  describe(group.command('set-plan'), {
    does: 'Give an account a plan without payment; free takes it back.',
    more: 'What the account pays for stays: it has the better of the two. Nothing is deleted when the new plan is smaller.',
    examples: [
      ['account set-plan ada@example.com power', 'Ada has Power from now on'],
      ['account set-plan ada@example.com free', 'Ada has what she pays for'],
    ],
  })
    .argument('<address>', 'of the account')
    .addArgument(new Argument('<plan>', `one of ${Object.keys(plans).join(', ')}`).argParser(planLevel))
    .action(async (named: string, granted: PlanLevel, _options: unknown, command: Command) => {
      await using run = await openFor(command);
      const { context, actor, out } = run;
      const account = await knownAccount(context, named);
      const level = await grantPlan(context, account.id, granted, (tx, now) =>
        recordAction({ ...context, db: tx }, actor, {
          subject: account.email,
          details: { granted, before: account.granted_level, level: now },
        }),
      );
      if (level === null) throw new Refused(`The account ${account.email} was closed a moment ago.`);
      const better = level === granted ? '' : `, because it pays for it; ${plans[granted].name} is noted`;
      out.say({ email: account.email, granted, plan: level }, `${account.email} has ${plans[level].name}${better}.`);
    });
}
