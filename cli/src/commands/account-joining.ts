import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { approveAccount, rejectAccount } from '@holdfast/server/src/operator/approve-account.ts';
import { createAccount, newResetLink } from '@holdfast/server/src/operator/create-account.ts';
import { knownAccount } from '@holdfast/server/src/operator/known-account.ts';
import type { Command } from 'commander';
import { planLevel } from '../arguments.ts';
import { describeCommand } from '../describe.ts';
import { Refused } from '../explain.ts';
import { openCommand } from '../open-command.ts';

export function addAccountCreate(group: Command): void {
  describeCommand(group.command('create'), {
    does: 'Create a verified account, and print the link by which its owner chooses a password.',
    more: 'The link works once, for 30 minutes; reset-password prints another one. It works whatever SIGN_UP is.',
    examples: [
      ['account create ada@example.com', 'an account on the default plan'],
      ['account create ada@example.com --plan house', 'an account without limits'],
    ],
  })
    .argument('<address>', 'email address of its owner')
    .option('--plan <plan>', 'plan of the account instead of the default plan', planLevel)
    .action(async (email: string, options: { readonly plan?: PlanLevel }, command: Command) => {
      await using run = await openCommand(command);
      const { context, actor, out } = run;
      const level = options.plan ?? context.config.defaultPlan;
      const link = await createAccount(context, actor, email, level);
      out.say(
        { email, plan: level, link },
        `${email} has an account on ${context.plans[level].name}.\n${passwordAt(link)}`,
      );
    });
}

const passwordAt = (link: string) => `The password is chosen here, within 30 minutes: ${link}`;

export function addAccountResetPassword(group: Command): void {
  describeCommand(group.command('reset-password'), {
    does: 'Print a link by which the owner of an account chooses a new password.',
    more: 'The link works once, for 30 minutes, and replaces an earlier one. The old password works until then.',
    examples: [['account reset-password ada@example.com', 'for Ada, to whom no email can be sent']],
  })
    .argument('<address>', 'of the account')
    .action(async (named: string, _options: unknown, command: Command) => {
      await using run = await openCommand(command);
      const { context, actor, out } = run;
      const account = await knownAccount(context, named);
      const link = await newResetLink(context, actor, account);
      out.say({ email: account.email, link }, passwordAt(link));
    });
}

export function addAccountApprove(group: Command): void {
  describeCommand(group.command('approve'), {
    does: 'Approve an account that waits; its owner is notified by email.',
    more: "With SIGN_UP=approval new accounts wait after their code. 'account list --waiting' lists them.",
    examples: [['account approve ada@example.com', 'lets Ada sign in']],
  })
    .argument('<address>', 'of the account')
    .action(async (named: string, _options: unknown, command: Command) => {
      await using run = await openCommand(command);
      const { context, actor, out } = run;
      const account = await knownAccount(context, named);
      if (!(await approveAccount(context, actor, account))) throw notWaiting(account.email);
      out.say({ email: account.email, approved: true }, `${account.email} can sign in.`);
    });
}

export function addAccountReject(group: Command): void {
  describeCommand(group.command('reject'), {
    does: 'Delete an account that waits; its owner is notified by email.',
    examples: [['account reject ada@example.com', 'the address can sign up again later']],
  })
    .argument('<address>', 'of the account')
    .action(async (named: string, _options: unknown, command: Command) => {
      await using run = await openCommand(command);
      const { context, actor, out } = run;
      const account = await knownAccount(context, named);
      if (!(await rejectAccount(context, actor, account))) throw notWaiting(account.email);
      out.say({ email: account.email, rejected: true }, `${account.email} is rejected and deleted.`);
    });
}

const notWaiting = (email: string) => new Refused(`The account ${email} does not wait for approval.`);
