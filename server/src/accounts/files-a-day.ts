/** A token bucket in the account's row: it costs an upload no round trip, and only stored files count. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan } from '@holdfast/contract/src/plans.ts';
import type { ExpressionBuilder } from 'kysely';
import { days } from '../lib/clock.ts';
import { type Limit, takenAt } from '../storage/counters/counters.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { AccountRow, Schema } from '../storage/db/schema.ts';

type Accounts = ExpressionBuilder<Schema, 'accounts'>;
type Slots = Pick<Plan, 'slotsQuota'>;

/** Deleted files leave rows for a year and names forever, so who deletes and uploads in turn needs a limit, too. */
function filesADay({ slotsQuota }: Slots): Limit {
  const capacity = Math.min(Math.max(10 * slotsQuota, 1), days(1));
  return { capacity, everyMs: Math.ceil(days(1) / capacity) };
}

export const oneMore = (plan: Slots, now: number) => {
  const { capacity, everyMs } = filesADay(plan);
  return { now, everyMs, ifFull: now + everyMs, latestFull: now + (capacity - 1) * everyMs };
};
type OneMore = ReturnType<typeof oneMore>;

export const mayAddOne = (eb: Accounts, { latestFull }: OneMore) => eb('files_full_at', '<=', latestFull);

export const oneAdded = (eb: Accounts, { now, everyMs, ifFull }: OneMore) => ({
  files_full_at: eb
    .case()
    .when('files_full_at', '<', now)
    .then(ifFull)
    .else(eb('files_full_at', '+', everyMs))
    .end(),
});

/** @throws {Failure} RATE_LIMITED. */
export function refuseMore(plan: Slots, { files_full_at }: Pick<AccountRow, 'files_full_at'>, now: number): void {
  const limit = filesADay(plan);
  if (files_full_at <= oneMore(plan, now).latestFull) return;
  const { retryAfterSeconds } = takenAt(files_full_at, now, limit, false);
  const most = limit.capacity.toLocaleString('en');
  throw new Failure('RATE_LIMITED', `Your plan allows ${most} new files a day. Try again later.`, {
    retryAfterSeconds,
  });
}

/** The transaction must hold a lock on the account's row. */
export async function addOne(tx: Transaction, plan: Slots, account: AccountRow, now: number): Promise<void> {
  refuseMore(plan, account, now);
  await tx
    .updateTable('accounts')
    .set((eb) => oneAdded(eb, oneMore(plan, now)))
    .where('id', '=', account.id)
    .execute();
}
