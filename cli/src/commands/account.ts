import { type PlanLevel, unlimited } from '@holdfast/contract/src/plans.ts';
import type { Context } from '@holdfast/server/src/context.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import { accountFacts, type AccountFacts } from '@holdfast/server/src/operator/account-facts.ts';
import { deleteAccount } from '@holdfast/server/src/operator/delete-account.ts';
import { knownAccount } from '@holdfast/server/src/operator/known-account.ts';
import { listAccounts, type ListedAccount } from '@holdfast/server/src/operator/list-accounts.ts';
import { verifyByOperator } from '@holdfast/server/src/operator/verify-account.ts';
import type { Command } from 'commander';
import { planLevel, wholeNumber } from '../arguments.ts';
import { confirm } from '../confirm.ts';
import { describeCommand } from '../describe.ts';
import { cells, count, printable, sheet, size, sizeLimit, time } from '../format.ts';
import { openCommand } from '../open-command.ts';
import { addAccountApprove, addAccountCreate, addAccountReject, addAccountResetPassword } from './account-joining.ts';
import { addAccountSetLimits, addAccountSetPlan } from './account-limits.ts';

export function addAccount(program: Command): void {
  const group = program.command('account').description('List, show and change accounts.');
  for (const add of [
    addAccountList,
    addAccountShow,
    addAccountCreate,
    addAccountResetPassword,
    addAccountApprove,
    addAccountReject,
    addAccountSetPlan,
    addAccountSetLimits,
    addAccountVerify,
    addAccountDelete,
  ])
    add(group);
}

interface ListOptions {
  readonly search?: string;
  readonly plan?: PlanLevel;
  readonly waiting?: true;
  readonly repeatInfringers?: number;
  readonly limit: number;
  readonly after?: string;
}

function addAccountList(group: Command): void {
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
    .action(async ({ search, plan, waiting, repeatInfringers, limit, after }: ListOptions, command: Command) => {
      await using run = await openCommand(command);
      let shown = 0;
      const last = after === undefined ? undefined : await knownAccount(run.context, after);
      const found = listAccounts(run.context, {
        search,
        plan,
        waiting,
        takedownsFrom: repeatInfringers,
        after: last?.id,
      });
      for await (const account of found) {
        run.signal.throwIfAborted();
        if (limit > 0 && shown === limit) break;
        shown += 1;
        await run.out.row(rowAsJson(account), rowAsText(account));
      }
      if (!run.out.json) run.out.say({}, count(shown, 'account'));
    });
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

function addAccountShow(group: Command): void {
  describeCommand(group.command('show'), {
    does: 'Show one account: plan, usage, subscription, takedowns, last activity.',
    examples: [['account show ada@example.com', 'shows everything about this account']],
  })
    .argument('<address>', 'of the account')
    .action(async (named: string, _options: unknown, command: Command) => {
      await using run = await openCommand(command);
      const account = await knownAccount(run.context, named);
      const facts = await accountFacts(run.context, account);
      run.out.say(asJson(facts), asText(run.context, facts));
    });
}

function asJson({ account, plan, ownLimits, subscription, row, cases }: AccountFacts) {
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
    customer: row?.customer_id ?? null,
    takedowns: cases.length,
    cases,
    continuous_uploading: account.continuous_uploading === 1,
    inactivity_auto_delete_days: account.inactivity_auto_delete_days,
    created: timeText(account.created_at),
    last_active: timeText(account.last_active_at),
  };
}

function asText(context: Context, { account, plan, ownLimits, subscription, row, cases }: AccountFacts): string {
  const { name, spaceQuota, slotsQuota } = plan;
  const granted =
    account.granted_level === context.config.defaultPlan
      ? ''
      : ` (${context.plans[account.granted_level].name} given by an operator)`;
  return sheet([
    ['Account', `${account.email}, ${account.id}`],
    ['Name', printable(account.name)],
    ['Verified', account.verified_at === null ? 'no' : time(account.verified_at)],
    ['Plan', `${name}${granted}`],
    ['Space', `${size(account.space_used)} of ${sizeLimit(spaceQuota)}`],
    [
      'Files',
      `${count(account.slots_used, 'file')} of ${slotsQuota >= unlimited ? 'unlimited slots' : count(slotsQuota, 'slot')}`,
    ],
    ...ownLimitsRow(ownLimits),
    ['Subscription', subscription ? paidFor(subscription) : 'none'],
    ['Customer', row?.customer_id ?? 'none'],
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

function ownLimitsRow(ownLimits: AccountFacts['ownLimits']): [name: string, value: string][] {
  const names = Object.keys(ownLimits).map((key) => limitNames[key as LimitKey].text);
  return names.length === 0 ? [] : [['Own limits', names.join(', ')]];
}

function paidFor({
  level,
  period,
  status,
  period_ends,
  ends_with_period,
}: NonNullable<AccountFacts['subscription']>): string {
  const end = `${ends_with_period ? 'ends' : 'renewed'} ${period_ends.slice(0, 10)}`;
  const what = level === null ? 'at a price that STRIPE_PRICES lacks' : `${level}, ${period}`;
  return `${what}, ${status === 'past_due' ? 'payment failed, ' : ''}${end}`;
}

function addAccountVerify(group: Command): void {
  describeCommand(group.command('verify'), {
    does: 'Verify the address of an account without its code.',
    examples: [['account verify ada@example.com', 'lets Ada sign in although no email reaches her']],
  })
    .argument('<address>', 'of the account')
    .action(async (named: string, _options: unknown, command: Command) => {
      await using run = await openCommand(command);
      const account = await knownAccount(run.context, named);
      const changed = await verifyByOperator(run.context, run.actor, account);
      const said = changed ? `${account.email} is verified.` : `${account.email} was verified before.`;
      run.out.say({ email: account.email, verified: true, changed }, said);
    });
}

function addAccountDelete(group: Command): void {
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
    .action(async (named: string, options: { readonly yes?: true; readonly because?: string }, command: Command) => {
      await using run = await openCommand(command);
      const { context, actor, signal, out } = run;
      const account = await knownAccount(context, named);
      const { email, slots_used: files, space_used } = account;
      const what = `${count(files, 'file')} (${size(space_used)})`;
      await confirm(`This permanently deletes the account ${email} with ${what}.`, email, {
        yes: options.yes === true,
        signal,
      });
      await deleteAccount(context, actor, account, options.because ?? null, signal);
      out.say({ email, files, bytes: space_used }, `${email} is deleted, with ${what}.`);
    });
}
