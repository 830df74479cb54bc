import { type PlanLevel, planLevels, unlimited, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import type { Context } from '@holdfast/server/src/context.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import {
  type AccountFacts,
  accountFacts,
  knownAccount,
  listAccounts,
  type ListedAccount,
} from '@holdfast/server/src/operator/accounts.ts';
import {
  approveAccount,
  createAccount,
  deleteAccount,
  grantPlan,
  type LimitChanges,
  newResetLink,
  rejectAccount,
  setLimits,
  verifyByOperator,
} from '@holdfast/server/src/operator/change-account.ts';
import { recordAction } from '@holdfast/server/src/operator/record-action.ts';
import { Argument, type Command } from 'commander';
import {
  countLimit as countArgument,
  planLevel,
  sizeLimit as sizeArgument,
  speedLimit,
  wholeNumber,
} from '../arguments.ts';
import { confirm } from '../confirm.ts';
import { describeCommand } from '../describe.ts';
import { Refused, WrongUsage } from '../explain.ts';
import { cells, count, countLimit, printable, sheet, size, sizeLimit, time } from '../format.ts';
import { withRun } from '../open-command.ts';

export function addAccount(program: Command): void {
  const group = program.command('account').description('List, show and change accounts.');
  for (const add of [addList, addShow, addCreate, addResetPassword, addApprove, addReject, addSetPlan]) add(group);
  for (const add of [addSetLimits, addVerify, addDelete]) add(group);
}

interface ListOptions {
  readonly search?: string;
  readonly plan?: PlanLevel;
  readonly waiting?: true;
  readonly repeatInfringers?: number;
  readonly limit: number;
  readonly after?: string;
}

function addList(group: Command): void {
  describeCommand(group.command('list'), {
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
      withRun(async ({ context, signal, out }, { repeatInfringers, limit, after, ...search }: ListOptions) => {
        let shown = 0;
        const last = after === undefined ? undefined : (await knownAccount(context, after)).id;
        for await (const account of listAccounts(context, {
          ...search,
          takedownsFrom: repeatInfringers,
          after: last,
        })) {
          signal.throwIfAborted();
          if (limit > 0 && shown === limit) break;
          shown += 1;
          await out.row(rowAsJson(account), rowAsText(account));
        }
        if (!out.json) out.say({}, count(shown, 'account'));
      }),
    );
}

const rowAsJson = (account: ListedAccount) => ({
  id: account.id,
  email: account.email,
  plan: account.level,
  verified: account.verified,
  waiting: account.waiting,
  space_used: account.spaceUsed,
  slots_used: account.slotsUsed,
  takedowns: account.takedowns,
  created: timeText(account.createdAt),
  last_active: timeText(account.lastActiveAt),
});

const rowAsText = (account: ListedAccount) =>
  cells(
    [account.email, 32],
    [account.level, 8],
    [account.verified ? '' : account.waiting ? 'waiting' : 'unverified', 10],
    [count(account.slotsUsed, 'file'), 12],
    [size(account.spaceUsed), 9],
    [account.takedowns === 0 ? '' : count(account.takedowns, 'takedown'), 12],
    [time(account.lastActiveAt), 0],
  );

function addShow(group: Command): void {
  describeCommand(group.command('show'), {
    does: 'Show one account: plan, usage, subscription, takedowns, last activity.',
    examples: [['account show ada@example.com', 'shows everything about this account']],
  })
    .argument('<address>', 'of the account')
    .action(
      withRun(async ({ context, out }, named: string) => {
        const facts = await accountFacts(context, await knownAccount(context, named));
        out.say(asJson(facts), asText(context, facts));
      }),
    );
}

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
    own_limits: Object.keys(ownLimits).map((key) => limitNames[key as LimitKey].member),
    subscription,
    customer,
    takedowns: cases.length,
    cases,
    continuous_uploading: account.continuous_uploading === 1,
    inactivity_auto_delete_days: account.inactivity_auto_delete_days,
    created: timeText(account.created_at),
    last_active: timeText(account.last_active_at),
  };
}

function asText(context: Context, { account, plan, ownLimits, subscription, customer, cases }: AccountFacts): string {
  const { name, spaceQuota, slotsQuota } = plan;
  const { granted_level } = account;
  const granted =
    granted_level === context.config.defaultPlan ? '' : ` (${context.plans[granted_level].name} given by an operator)`;
  const slots = slotsQuota >= unlimited ? 'unlimited slots' : count(slotsQuota, 'slot');
  const own = Object.keys(ownLimits).map((key) => limitNames[key as LimitKey].text);
  return sheet([
    ['Account', `${account.email}, ${account.id}`],
    ['Name', printable(account.name)],
    ['Verified', account.verified_at === null ? 'no' : time(account.verified_at)],
    ['Plan', `${name}${granted}`],
    ['Space', `${size(account.space_used)} of ${sizeLimit(spaceQuota)}`],
    ['Files', `${count(account.slots_used, 'file')} of ${slots}`],
    ...(own.length === 0 ? [] : [['Own limits', own.join(', ')] as const]),
    ['Subscription', subscription ? paidFor(subscription) : 'none'],
    ['Customer', customer ?? 'none'],
    ['Takedowns', cases.length === 0 ? 'none' : `${cases.length} (${cases.join(', ')})`],
    ['Created', time(account.created_at)],
    ['Last active', time(account.last_active_at)],
  ]);
}

type LimitKey = keyof AccountFacts['ownLimits'];

/** How limits are named in the API, and for people. */
const limitNames: Readonly<Record<LimitKey, { readonly member: string; readonly text: string }>> = {
  maxFileSize: { member: 'max_file_size', text: 'file size' },
  spaceQuota: { member: 'space_quota', text: 'space' },
  slotsQuota: { member: 'slots_quota', text: 'files' },
  maxDownloadMbps: { member: 'max_file_download_speed', text: 'speed' },
};

function paidFor(paid: NonNullable<AccountFacts['subscription']>): string {
  const { level, period, status, period_ends, ends_with_period } = paid;
  const end = `${ends_with_period ? 'ends' : 'renewed'} ${period_ends.slice(0, 10)}`;
  const what = level === null ? 'at a price that STRIPE_PRICES lacks' : `${level}, ${period}`;
  return `${what}, ${status === 'past_due' ? 'payment failed, ' : ''}${end}`;
}

function addCreate(group: Command): void {
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
    .action(
      withRun(async ({ context, actor, out }, email: string, options: { readonly plan?: PlanLevel }) => {
        const level = options.plan ?? context.config.defaultPlan;
        const link = await createAccount(context, actor, email, level);
        const said = `${email} has an account on ${context.plans[level].name}.\n${passwordAt(link)}`;
        out.say({ email, plan: level, link }, said);
      }),
    );
}

const passwordAt = (link: string) => `The password is chosen here, within 30 minutes: ${link}`;

function addResetPassword(group: Command): void {
  describeCommand(group.command('reset-password'), {
    does: 'Print a link by which the owner of an account chooses a new password.',
    more: 'The link works once, for 30 minutes, and replaces an earlier one. The old password works until then.',
    examples: [['account reset-password ada@example.com', 'for Ada, to whom no email can be sent']],
  })
    .argument('<address>', 'of the account')
    .action(
      withRun(async ({ context, actor, out }, named: string) => {
        const account = await knownAccount(context, named);
        const link = await newResetLink(context, actor, account);
        out.say({ email: account.email, link }, passwordAt(link));
      }),
    );
}

function addApprove(group: Command): void {
  describeCommand(group.command('approve'), {
    does: 'Approve an account that waits; its owner is notified by email.',
    more: "With SIGN_UP=approval new accounts wait after their code. 'account list --waiting' lists them.",
    examples: [['account approve ada@example.com', 'lets Ada sign in']],
  })
    .argument('<address>', 'of the account')
    .action(
      withRun(async ({ context, actor, out }, named: string) => {
        const account = await knownAccount(context, named);
        if (!(await approveAccount(context, actor, account))) throw notWaiting(account.email);
        out.say({ email: account.email, approved: true }, `${account.email} can sign in.`);
      }),
    );
}

function addReject(group: Command): void {
  describeCommand(group.command('reject'), {
    does: 'Delete an account that waits; its owner is notified by email.',
    examples: [['account reject ada@example.com', 'the address can sign up again later']],
  })
    .argument('<address>', 'of the account')
    .action(
      withRun(async ({ context, actor, out }, named: string) => {
        const account = await knownAccount(context, named);
        if (!(await rejectAccount(context, actor, account))) throw notWaiting(account.email);
        out.say({ email: account.email, rejected: true }, `${account.email} is rejected and deleted.`);
      }),
    );
}

const notWaiting = (email: string) => new Refused(`The account ${email} does not wait for approval.`);
const closedNow = (email: string) => new Refused(`The account ${email} was closed a moment ago.`);

function addSetPlan(group: Command): void {
  describeCommand(group.command('set-plan'), {
    does: 'Give an account a plan without payment; free removes it.',
    more: 'The account has the better of this plan and the one it pays for. Nothing is deleted when the new plan is smaller.',
    examples: [
      ['account set-plan ada@example.com power', 'gives Ada the plan Power'],
      ['account set-plan ada@example.com free', 'leaves Ada the plan she pays for'],
    ],
  })
    .argument('<address>', 'of the account')
    .addArgument(new Argument('<plan>', `one of ${planLevels.join(', ')}`).argParser(planLevel))
    .action(
      withRun(async ({ context, actor, out }, named: string, granted: PlanLevel) => {
        const { id, email, granted_level: before } = await knownAccount(context, named);
        const level = await grantPlan(context, id, granted, (tx, now) =>
          recordAction({ ...context, db: tx }, actor, { subject: email, details: { granted, before, level: now } }),
        );
        if (level === null) throw closedNow(email);
        const better = level === granted ? '' : `, because it pays for it; ${context.plans[granted].name} is recorded`;
        out.say({ email, granted, plan: level }, `${email} has ${context.plans[level].name}${better}.`);
      }),
    );
}

interface LimitOptions {
  readonly fileSize?: number | 'plan';
  readonly space?: number | 'plan';
  readonly files?: number | 'plan';
  readonly speed?: number | 'plan';
  readonly reset?: true;
}

function addSetLimits(group: Command): void {
  describeCommand(group.command('set-limits'), {
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
    .argument('<address>', 'of the account')
    .option('--file-size <size>', "largest file, such as 10GB, or 'unlimited', or 'plan'", sizeArgument)
    .option('--space <size>', "of all files, such as 50GB, or 'unlimited', or 'plan'", sizeArgument)
    .option('--files <n>', "number of files, or 'unlimited', or 'plan'", countArgument)
    .option('--speed <Mbps>', "of downloads, from 1 to 999, or 'unlimited', or 'plan'", speedLimit)
    .option('--reset', 'give all limits of the plan back')
    .action(
      withRun(async ({ context, actor, out }, named: string, options: LimitOptions) => {
        const changes = changesIn(options);
        if (Object.keys(changes).length === 0)
          throw new WrongUsage('Name a limit: --file-size, --space, --files or --speed, or --reset for all of them.');
        const account = await knownAccount(context, named);
        const { email } = account;
        const plan = await setLimits(context, actor, account, changes);
        if (plan === null) throw closedNow(email);
        out.say(
          {
            email,
            max_file_size: plan.maxFileSize,
            space_quota: plan.spaceQuota,
            slots_quota: plan.slotsQuota,
            max_file_download_speed: plan.maxDownloadMbps,
          },
          sheet([
            ['Account', email],
            ['Largest file', sizeLimit(plan.maxFileSize)],
            ['Space', sizeLimit(plan.spaceQuota)],
            ['Files', countLimit(plan.slotsQuota)],
            ['Speed', plan.maxDownloadMbps >= unlimitedMbps ? 'unlimited' : `${plan.maxDownloadMbps} Mbps`],
          ]),
        );
      }),
    );
}

function changesIn({ fileSize, space, files, speed, reset }: LimitOptions): LimitChanges {
  const all = { maxFileSize: fileSize, spaceQuota: space, slotsQuota: files, maxDownloadMbps: speed };
  return Object.fromEntries(
    Object.entries(all)
      .map(([name, value]) => [name, value === undefined && reset ? 'plan' : value] as const)
      .filter(([, value]) => value !== undefined),
  );
}

function addVerify(group: Command): void {
  describeCommand(group.command('verify'), {
    does: 'Verify the address of an account without its code.',
    examples: [['account verify ada@example.com', 'lets Ada sign in although no email reaches her']],
  })
    .argument('<address>', 'of the account')
    .action(
      withRun(async ({ context, actor, out }, named: string) => {
        const account = await knownAccount(context, named);
        const changed = await verifyByOperator(context, actor, account);
        const said = changed ? `${account.email} is verified.` : `${account.email} was verified before.`;
        out.say({ email: account.email, verified: true, changed }, said);
      }),
    );
}

interface DeleteOptions {
  readonly yes?: boolean;
  readonly because?: string;
}

function addDelete(group: Command): void {
  describeCommand(group.command('delete'), {
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
    .argument('<address>', 'of the account')
    .option('--yes', 'do not ask')
    .option('--because <text>', 'reason for the audit log')
    .action(
      withRun(async ({ context, actor, signal, out }, named: string, { yes = false, because }: DeleteOptions) => {
        const account = await knownAccount(context, named);
        const { email, slots_used: files, space_used } = account;
        const what = `${count(files, 'file')} (${size(space_used)})`;
        await confirm(`This permanently deletes the account ${email} with ${what}.`, email, { yes, signal });
        await deleteAccount(context, actor, account, because ?? null, signal);
        out.say({ email, files, bytes: space_used }, `${email} is deleted, with ${what}.`);
      }),
    );
}
