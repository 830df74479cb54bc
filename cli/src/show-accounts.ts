import { type PlanLevel, unlimited } from '@holdfast/contract/src/plans.ts';
import { isWaiting } from '@holdfast/server/src/accounts/email-code.ts';
import { accountById, knownAccount } from '@holdfast/server/src/accounts/find-account.ts';
import { listAccounts, type ListedAccount } from '@holdfast/server/src/accounts/list-accounts.ts';
import { ownLimitsIn, planOf } from '@holdfast/server/src/accounts/plan-of.ts';
import { findSubscription, ownSubscription } from '@holdfast/server/src/billing/subscription.ts';
import type { Context } from '@holdfast/server/src/context.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import { casesAgainst } from '@holdfast/server/src/moderation/find-file.ts';
import type { AccountRow } from '@holdfast/server/src/storage/db/schema.ts';
import type { Command } from 'commander';
import { limits } from './account-limits.ts';
import { addCommand } from './add-command.ts';
import { planLevel, wholeNumber } from './arguments.ts';
import { WrongUsage } from './explain.ts';
import { cells, count, printable, sheet, size, sizeLimit, time, timeOrNull } from './format.ts';
import { withRun } from './run.ts';

interface ListOptions {
  readonly search?: string;
  readonly plan?: PlanLevel;
  readonly waiting?: true;
  readonly repeatInfringers?: number;
  readonly limit: number;
  readonly after?: string;
}

export function addList(group: Command): void {
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

export function addShow(group: Command): void {
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
