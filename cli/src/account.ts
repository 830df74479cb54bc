import { type PlanLevel, planLevels } from '@holdfast/contract/src/plans.ts';
import {
  createAccount,
  decideOnAccount,
  newResetLink,
  verifyAccount,
} from '@holdfast/server/src/accounts/change-account.ts';
import { closeAccount } from '@holdfast/server/src/accounts/close-account.ts';
import { cancelSubscription } from '@holdfast/server/src/billing/cancellation.ts';
import { grantPlan } from '@holdfast/server/src/billing/subscription.ts';
import { emptyAccount } from '@holdfast/server/src/files/delete.ts';
import { recordAction } from '@holdfast/server/src/storage/db/record-action.ts';
import { Argument, type Command } from 'commander';
import { addAccountCommand, closedNow, withAccount } from './account-command.ts';
import { addSetLimits } from './account-limits.ts';
import { addCommand } from './add-command.ts';
import { planLevel } from './arguments.ts';
import { confirm } from './confirm.ts';
import { Refused } from './explain.ts';
import { count, size } from './format.ts';
import { withRun } from './run.ts';
import { addList, addShow } from './show-accounts.ts';

export function addAccount(program: Command): void {
  const group = program.command('account').description('List, show and change accounts.');
  for (const add of [addList, addShow, addCreate, addResetPassword, addDecisions, addSetPlan]) add(group);
  for (const add of [addSetLimits, addVerify, addDelete]) add(group);
}

function addCreate(group: Command): void {
  addCommand(group, 'create', {
    does: 'Create a verified account, and print the link by which its owner chooses a password.',
    more: 'The link works once, for 30 minutes; reset-password prints another one. It works whatever SIGN_UP is.',
    examples: [
      ['account create ada@example.com', 'an account on the default plan'],
      ['account create ada@example.com --plan house', 'an account without limits'],
    ],
  })
    .argument('<address>', 'email address of its owner')
    .option('--plan <plan>', 'plan of the account instead of the default plan', planLevel)
    .action(
      withRun(async ({ context, actor, out }, email: string, options: { readonly plan?: PlanLevel }) => {
        const level = options.plan ?? context.config.defaultPlan;
        const link = await createAccount(context, actor, email, level);
        const said = `${email} has an account on ${context.config.plans[level].name}.\n${passwordAt(link)}`;
        out.say({ email, plan: level, link }, said);
      }),
    );
}

const passwordAt = (link: string) => `The password is chosen here, within 30 minutes: ${link}`;

function addResetPassword(group: Command): void {
  addAccountCommand(group, 'reset-password', {
    does: 'Print a link by which the owner of an account chooses a new password.',
    more: 'The link works once, for 30 minutes, and replaces an earlier one. The old password works until then.',
    examples: [['account reset-password ada@example.com', 'for Ada, to whom no email can be sent']],
  }).action(
    withAccount(async ({ context, actor, out }, account) => {
      const link = await newResetLink(context, actor, account);
      out.say({ email: account.email, link }, passwordAt(link));
    }),
  );
}

function addDecisions(group: Command): void {
  const approve = addAccountCommand(group, 'approve', {
    does: 'Approve an account that waits; its owner is notified by email.',
    more: "With SIGN_UP=approval new accounts wait after their code. 'account list --waiting' lists them.",
    examples: [['account approve ada@example.com', 'lets Ada sign in']],
  });
  const reject = addAccountCommand(group, 'reject', {
    does: 'Delete an account that waits; its owner is notified by email.',
    examples: [['account reject ada@example.com', 'the address can sign up again later']],
  });
  const decide = (command: Command, decision: 'approve' | 'reject', result: object, says: string) =>
    command.action(
      withAccount(async ({ context, actor, out }, account) => {
        const { email } = account;
        if (!(await decideOnAccount(context, actor, account, decision)))
          throw new Refused(`The account ${email} does not wait for approval.`);
        out.say({ email, ...result }, `${email} ${says}.`);
      }),
    );
  decide(approve, 'approve', { approved: true }, 'can sign in');
  decide(reject, 'reject', { rejected: true }, 'is rejected and deleted');
}

function addSetPlan(group: Command): void {
  addAccountCommand(group, 'set-plan', {
    does: 'Give an account a plan without payment; free removes it.',
    more: 'The account has the better of this plan and the one it pays for. Nothing is deleted when the new plan is smaller.',
    examples: [
      ['account set-plan ada@example.com power', 'gives Ada the plan Power'],
      ['account set-plan ada@example.com free', 'leaves Ada the plan she pays for'],
    ],
  })
    .addArgument(new Argument('<plan>', `one of ${planLevels.join(', ')}`).argParser(planLevel))
    .action(
      withAccount(async ({ context, actor, out }, account, granted: PlanLevel) => {
        const { id, email, granted_level: before } = account;
        const level = await grantPlan(context, id, granted, (tx, now) =>
          recordAction({ ...context, db: tx }, actor, { subject: id, details: { granted, before, level: now } }),
        );
        if (level === null) throw closedNow(email);
        const better =
          level === granted ? '' : `, because it pays for it; ${context.config.plans[granted].name} is recorded`;
        out.say({ email, granted, plan: level }, `${email} has ${context.config.plans[level].name}${better}.`);
      }),
    );
}

function addVerify(group: Command): void {
  addAccountCommand(group, 'verify', {
    does: 'Verify the address of an account without its code, and print the link by which its owner chooses a password.',
    more: 'The password of the sign-up does not count, as it may be that of somebody else.',
    examples: [['account verify ada@example.com', 'for Ada, whom no email reaches']],
  }).action(
    withAccount(async ({ context, actor, out }, account) => {
      const { email } = account;
      const link = await verifyAccount(context, actor, account);
      const said = link === null ? `${email} was verified before.` : `${email} is verified.\n${passwordAt(link)}`;
      out.say({ email, verified: true, changed: link !== null, ...(link !== null && { link }) }, said);
    }),
  );
}

function addDelete(group: Command): void {
  addAccountCommand(group, 'delete', {
    does: 'Delete an account with all its files.',
    more: 'Its links stop at once, its subscription is canceled, and its owner is notified by email. This cannot be undone.',
    examples: [
      ['account delete ada@example.com', 'asks for the address again'],
      [
        'account delete ada@example.com --yes --because "repeat infringer"',
        'skips the confirmation, and records the reason in the audit log',
      ],
    ],
  })
    .option('--yes', 'do not ask')
    .option('--because <text>', 'reason for the audit log')
    .action(
      withAccount(
        async (
          { context, actor, signal, out },
          account,
          { yes = false, because }: { yes?: boolean; because?: string },
        ) => {
          const { email, slots_used: files, space_used: bytes } = account;
          const what = `${count(files, 'file')} (${size(bytes)})`;
          await confirm(`This permanently deletes the account ${email} with ${what}.`, email, { yes, signal });
          const details = { files, bytes, plan: account.level, because: because ?? null };
          await closeAccount(context, account, (tx) =>
            recordAction({ ...context, db: tx }, actor, { subject: account.id, details }),
          );
          // At once, so that a checkout in an open tab cannot be paid any more.
          await cancelSubscription(context, account.id);
          await emptyAccount(context, account.id, signal);
          out.say({ email, files, bytes }, `${email} is deleted, with ${what}.`);
        },
      ),
    );
}
