import { plans } from '@holdfast/contract/src/plans.ts';
import { casesAgainst } from '@holdfast/server/src/accounts/count-takedowns.ts';
import { knownAccount } from '@holdfast/server/src/accounts/known-account.ts';
import { ownSubscription } from '@holdfast/server/src/billing/own-subscription.ts';
import { findSubscription } from '@holdfast/server/src/billing/find-subscription.ts';
import type { AccountRow, SubscriptionRow } from '@holdfast/server/src/engines/database/schema.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import type { Command } from 'commander';
import { describe } from '../describe.ts';
import { openFor } from '../open-for.ts';
import { count, printable, sheet, size, time } from '../words.ts';

export function addAccountShow(group: Command): void {
  describe(group.command('show'), {
    does: 'Show one account: plan, usage, subscription, takedowns, last activity.',
    examples: [['account show ada@example.com', 'what is known of this account']],
  })
    .argument('<address>', 'of the account')
    .action(async (named: string, _options: unknown, command: Command) => {
      await using run = await openFor(command);
      const account = await knownAccount(run.context, named);
      const cases = await casesAgainst(run.context, account.id);
      const subscription = await ownSubscription(run.context, account.id);
      const row = await findSubscription(run.context, account.id);
      run.out.say(asJson(account, subscription, row, cases), asText(account, subscription, row, cases));
    });
}

type Subscription = Awaited<ReturnType<typeof ownSubscription>>;

function asJson(
  account: AccountRow,
  subscription: Subscription,
  row: SubscriptionRow | undefined,
  cases: readonly string[],
) {
  const { spaceQuota, slotsQuota } = plans[account.level];
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    plan: account.level,
    granted_plan: account.granted_level,
    verified: account.verified_at !== null,
    space_used: account.space_used,
    space_quota: spaceQuota,
    slots_used: account.slots_used,
    slots_quota: slotsQuota,
    subscription,
    customer: row?.customer_id ?? null,
    customer_unknown_since: row?.unknown_since ? timeText(row.unknown_since) : null,
    takedowns: cases.length,
    cases,
    continuous_uploading: account.continuous_uploading === 1,
    inactivity_auto_delete_days: account.inactivity_auto_delete_days,
    created: timeText(account.created_at),
    last_active: timeText(account.last_active_at),
  };
}

function asText(
  account: AccountRow,
  subscription: Subscription,
  row: SubscriptionRow | undefined,
  cases: readonly string[],
): string {
  const { name, spaceQuota, slotsQuota } = plans[account.level];
  const granted =
    account.granted_level === 'free' ? '' : ` (${plans[account.granted_level].name} given by an operator)`;
  return sheet([
    ['Account', `${account.email}, ${account.id}`],
    ['Name', printable(account.name)],
    ['Verified', account.verified_at === null ? 'no' : time(account.verified_at)],
    ['Plan', `${name}${granted}`],
    ['Space', `${size(account.space_used)} of ${size(spaceQuota)}`],
    ['Files', `${count(account.slots_used, 'file')} of ${count(slotsQuota, 'slot')}`],
    ['Subscription', subscription ? paidFor(subscription) : 'none'],
    ['Customer', row?.customer_id ? customerText(row.customer_id, row.unknown_since) : 'none'],
    ['Takedowns', cases.length === 0 ? 'none' : `${cases.length} (${cases.join(', ')})`],
    ['Created', time(account.created_at)],
    ['Last active', time(account.last_active_at)],
  ]);
}

const customerText = (id: string, unknownSince: number | null) =>
  unknownSince === null ? id : `${id}, unknown to the payment provider since ${time(unknownSince)}`;

function paidFor({ level, period, status, period_ends, ends_with_period }: NonNullable<Subscription>): string {
  const end = `${ends_with_period ? 'ends' : 'renewed'} ${period_ends.slice(0, 10)}`;
  const what = level === null ? 'at a price that STRIPE_PRICES lacks' : `${level}, ${period}`;
  return `${what}, ${status === 'past_due' ? 'payment failed, ' : ''}${end}`;
}
