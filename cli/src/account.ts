import { type PlanLevel, planLevels, unlimited } from '@holdfast/contract/src/plans.ts';
import { isWaiting } from '@holdfast/server/src/accounts/email-code.ts';
import { type OwnLimits, ownLimitsIn, planOf } from '@holdfast/server/src/accounts/plan-of.ts';
import { closeAccount } from '@holdfast/server/src/accounts/close-account.ts';
import { cancelSubscription } from '@holdfast/server/src/billing/cancellation.ts';
import { findSubscription, grantPlan, ownSubscription } from '@holdfast/server/src/billing/subscription.ts';
import type { Context } from '@holdfast/server/src/context.ts';
import { emptyAccount } from '@holdfast/server/src/files/delete.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import { accountById, knownAccount } from '@holdfast/server/src/accounts/find-account.ts';
import { listAccounts, type ListedAccount } from '@holdfast/server/src/accounts/list-accounts.ts';
import { casesAgainst } from '@holdfast/server/src/moderation/find-file.ts';
import { recordAction } from '@holdfast/server/src/storage/db/record-action.ts';
import {
  createAccount,
  decideOnAccount,
  type LimitChanges,
  newResetLink,
  setLimits,
  verifyAccount,
} from '@holdfast/server/src/accounts/change-account.ts';
import type { AccountRow } from '@holdfast/server/src/storage/db/schema.ts';
import { Argument, type Command } from 'commander';
import { addCommand, type Description } from './add-command.ts';
import {
  countLimit as countArgument,
  planLevel,
  sizeLimit as sizeArgument,
  speedLimit as speedArgument,
  wholeNumber,
} from './arguments.ts';
import { confirm } from './confirm.ts';
import { Refused, WrongUsage } from './explain.ts';
import { cells, count, countLimit, printable, sheet, size, sizeLimit, speedLimit, time, timeOrNull } from './format.ts';
import { type Run, withRun } from './run.ts';

export function addAccount(program: Command): void {
  const group = program.command('account').description('List, show and change accounts.');
  for (const add of [addList, addShow, addCreate, addResetPassword, addDecisions, addSetPlan]) add(group);
  for (const add of [addSetLimits, addVerify, addDelete]) add(group);
}

const addAccountCommand = (group: Command, name: string, description: Description) =>
  addCommand(group, name, description).argument('<address>', 'of the account');

/** Returns the action of a command on one open account. */
const withAccount = (work: (run: Run, account: AccountRow, ...args: never[]) => Promise<void>) =>
  withRun(async (run, address: string, ...args: never[]) =>
    work(run, await knownAccount(run.context, address), ...args),
  );

interface ListOptions {
  readonly search?: string;
  readonly plan?: PlanLevel;
  readonly waiting?: true;
  readonly repeatInfringers?: number;
  readonly limit: number;
  readonly after?: string;
}

function addList(group: Command): void {
  addCommand(group, 'list', {
    does: 'List the open accounts, oldest first.',
    examples: [
      ['account list --search example.com', 'only addresses that contain example.com'],
      ['account list --waiting', 'that wait for your approval'],
      ['account list --repeat-infringers 3', 'with three takedown notices or more'],
      ['account list --limit 100 --after ada@example.com', 'a page of a hundred, after this account'],
      ['account list --json | jq -r .email', 'every address'],
    ],
  })
    .option('--search <text>', 'a part of the address')
    .option('--plan <plan>', 'only this plan', planLevel)
    .option('--waiting', 'only those that wait for your approval')
    .option('--repeat-infringers <n>', 'only with so many takedowns or more', wholeNumber)
    .option('--limit <n>', 'how many at most; 0 is all', wholeNumber, 0)
    .option('--after <address>', 'begin after this account')
    .action(
      withRun(async ({ context, signal, out }, options: ListOptions) => {
        const { repeatInfringers: takedownsFrom, limit, after: address, ...search } = options;
        const after = address === undefined ? undefined : (await knownAccount(context, address)).id;
        let shown = 0;
        for await (const account of listAccounts(context, { ...search, takedownsFrom, after })) {
          signal.throwIfAborted();
          if (limit > 0 && shown === limit) break;
          shown += 1;
          await out.row(rowAsJson(account), rowAsText(account));
        }
        if (!out.json) out.say({}, count(shown, 'account'));
      }),
    );
}

const rowAsJson = (row: ListedAccount) => ({
  id: row.id,
  email: row.email,
  plan: row.level,
  verified: row.verified_at !== null,
  waiting: isWaiting(row),
  space_used: row.space_used,
  slots_used: row.slots_used,
  takedowns: row.takedowns,
  created: timeText(row.created_at),
  last_active: timeText(row.last_active_at),
});

const rowAsText = (row: ListedAccount) =>
  cells(
    [row.email, 32],
    [row.level, 8],
    [row.verified_at === null ? (isWaiting(row) ? 'waiting' : 'unverified') : '', 10],
    [count(row.slots_used, 'file'), 12],
    [size(row.space_used), 9],
    [row.takedowns === 0 ? '' : count(row.takedowns, 'takedown'), 12],
    [time(row.last_active_at), 0],
  );

function addShow(group: Command): void {
  addCommand(group, 'show', {
    does: 'Show one account: plan, usage, subscription, takedowns, last activity.',
    examples: [
      ['account show ada@example.com', 'shows everything about this account'],
      ['account show --id -P7SUHY6Ed13nBGTBWNJ', 'the account of an id in the log, which may be closed'],
    ],
  })
    .argument('[address]', 'of the account')
    .option('--id <id>', 'id of the account instead of its address')
    .action(
      withRun(async ({ context, out }, address: string | undefined, { id }: { readonly id?: string }) => {
        if ((address === undefined) === (id === undefined))
          throw new WrongUsage('Name the account, or its id with --id.');
        const account = id === undefined ? await knownAccount(context, address ?? '') : await accountById(context, id);
        const facts = await factsOf(context, account);
        out.say(asJson(facts), asText(context, facts));
      }),
    );
}

type AccountFacts = Awaited<ReturnType<typeof factsOf>>;

const factsOf = async (context: Context, account: AccountRow) => ({
  account,
  plan: planOf(context, account),
  ownLimits: ownLimitsIn(account.own_limits),
  subscription: await ownSubscription(context, account.id),
  customer: (await findSubscription(context, account.id))?.customer_id ?? null,
  cases: await casesAgainst(context, account.id),
});

function asJson({ account, plan, ownLimits, subscription, customer, cases }: AccountFacts) {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    plan: account.level,
    granted_plan: account.granted_level,
    verified: account.verified_at !== null,
    space_used: account.space_used,
    space_quota: plan.spaceQuota,
    slots_used: account.slots_used,
    slots_quota: plan.slotsQuota,
    own_limits: limits.filter(({ key }) => key in ownLimits).map(({ member }) => member),
    subscription,
    customer,
    takedowns: cases.length,
    cases,
    continuous_uploading: account.continuous_uploading === 1,
    inactivity_auto_delete_days: account.inactivity_auto_delete_days,
    created: timeText(account.created_at),
    last_active: timeText(account.last_active_at),
    closed: timeOrNull(account.closed_at),
  };
}

function asText(context: Context, { account, plan, ownLimits, subscription, customer, cases }: AccountFacts): string {
  const { granted_level } = account;
  const granted =
    granted_level === context.config.defaultPlan
      ? ''
      : ` (${context.config.plans[granted_level].name} given by an operator)`;
  const slots = plan.slotsQuota >= unlimited ? 'unlimited slots' : count(plan.slotsQuota, 'slot');
  const own = limits.filter(({ key }) => key in ownLimits).map(({ label }) => label.toLowerCase());
  return sheet([
    ['Account', `${account.email || 'erased'}, ${account.id}`],
    ['Name', printable(account.name)],
    ['Verified', account.verified_at === null ? 'no' : time(account.verified_at)],
    ['Plan', `${plan.name}${granted}`],
    ['Space', `${size(account.space_used)} of ${sizeLimit(plan.spaceQuota)}`],
    ['Files', `${count(account.slots_used, 'file')} of ${slots}`],
    ...(own.length === 0 ? [] : [['Own limits', own.join(', ')] as const]),
    ['Subscription', subscription ? paidFor(subscription) : 'none'],
    ['Customer', customer ?? 'none'],
    ['Takedowns', cases.length === 0 ? 'none' : `${cases.length} (${cases.join(', ')})`],
    ['Created', time(account.created_at)],
    ['Last active', time(account.last_active_at)],
    ...(account.closed_at === null ? [] : [['Closed', time(account.closed_at)] as const]),
  ]);
}

function paidFor(paid: NonNullable<AccountFacts['subscription']>): string {
  const { level, period, status, period_ends, ends_with_period } = paid;
  const end = `${ends_with_period ? 'ends' : 'renewed'} ${period_ends.slice(0, 10)}`;
  const what = level === null ? 'at a price that STRIPE_PRICES lacks' : `${level}, ${period}`;
  return `${what}, ${status === 'past_due' ? 'payment failed, ' : ''}${end}`;
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

const closedNow = (email: string) => new Refused(`The account ${email} was closed a moment ago.`);

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

/** The limits that an account can have of its own: for the API, for the command line, and for people. */
const limits = [
  { key: 'maxFileSize', member: 'max_file_size', option: 'fileSize', label: 'File size', show: sizeLimit },
  { key: 'spaceQuota', member: 'space_quota', option: 'space', label: 'Space', show: sizeLimit },
  { key: 'slotsQuota', member: 'slots_quota', option: 'files', label: 'Files', show: countLimit },
  { key: 'maxDownloadMbps', member: 'max_file_download_speed', option: 'speed', label: 'Speed', show: speedLimit },
] as const satisfies readonly { readonly key: keyof OwnLimits; readonly [more: string]: unknown }[];

type LimitOptions = { readonly [Option in (typeof limits)[number]['option']]?: number | 'plan' } & {
  readonly reset?: true;
};

function addSetLimits(group: Command): void {
  addAccountCommand(group, 'set-limits', {
    does: 'Give an account limits of its own instead of those of its plan.',
    more:
      "They hold whatever plan the account has, until the value 'plan' gives the plan's limit back. Nothing is deleted " +
      'when the account has more than a new limit.',
    examples: [
      ['account set-limits ada@example.com --space 50GB --file-size 10GB', 'more space and larger files for Ada'],
      ['account set-limits ada@example.com --speed unlimited', 'her links at full speed'],
      ['account set-limits ada@example.com --reset', 'all limits of her plan again'],
    ],
  })
    .option('--file-size <size>', "largest file, such as 10GB, or 'unlimited', or 'plan'", sizeArgument)
    .option('--space <size>', "of all files, such as 50GB, or 'unlimited', or 'plan'", sizeArgument)
    .option('--files <n>', "number of files, or 'unlimited', or 'plan'", countArgument)
    .option('--speed <Mbps>', "of downloads, from 1 to 999, or 'unlimited', or 'plan'", speedArgument)
    .option('--reset', 'give all limits of the plan back')
    .action(
      withAccount(async ({ context, actor, out }, account, options: LimitOptions) => {
        const { email } = account;
        const changes: LimitChanges = Object.fromEntries(
          limits
            .map(({ key, option }) => [key, options[option] ?? (options.reset && 'plan')] as const)
            .filter(([, value]) => value !== undefined),
        );
        if (Object.keys(changes).length === 0)
          throw new WrongUsage('Name a limit: --file-size, --space, --files or --speed, or --reset for all of them.');
        const plan = await setLimits(context, actor, account, changes);
        if (plan === null) throw closedNow(email);
        out.say(
          { email, ...Object.fromEntries(limits.map(({ key, member }) => [member, plan[key]])) },
          sheet([['Account', email], ...limits.map(({ key, label, show }) => [label, show(plan[key])] as const)]),
        );
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
