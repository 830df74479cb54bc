/** An upload is judged before and while it arrives, but only the transaction that reserves its quota decides. */
import type { Evicted } from '@holdfast/contract/src/activity.ts';
import { typeRefusal } from '@holdfast/contract/src/accepted-types.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import { addOne } from '../accounts/files-a-day.ts';
import { type LimitsColumns, planOf } from '../accounts/plan-of.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import type { Received } from './receive.ts';
import { evict, mayEvict } from '../files/evict.ts';
import { reserveQuota } from '../accounts/quota.ts';

type Usage = Pick<AccountRow, 'space_used' | 'slots_used'>;
export type Known = LimitsColumns & Usage & Pick<AccountRow, 'id' | 'continuous_uploading'>;

/** `freeBytes` is negative when no file fits. */
export interface Limits {
  readonly plan: Plan;
  readonly freeBytes: number;
}

/** Returns what was evicted. The transaction must hold a lock on the account's row. */
export async function reserveForUpload(
  context: Pick<Context, 'config'>,
  tx: Transaction,
  account: AccountRow,
  file: Pick<Received, 'extension' | 'size' | 'sha256' | 'originalName'>,
  now: number,
): Promise<Evicted | undefined> {
  const limits = limitsOf(context, account);
  const { plan, freeBytes } = limits;
  await addOne(tx, plan, account, now);
  refuseType(plan, file.extension);
  const isFull = file.size > freeBytes;
  refuseSize(isFull && mayEvict(plan, account) ? { plan, freeBytes: Infinity } : limits, file.size);
  const bytes = account.space_used + file.size - plan.spaceQuota;
  const slots = account.slots_used + 1 - plan.slotsQuota;
  const needed = { accountId: account.id, sha256: file.sha256, cause: file.originalName, bytes, slots, now };
  const evicted = isFull ? await evict(tx, needed) : undefined;
  if (!(await reserveQuota(tx, account.id, plan, file.size))) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
  return evicted;
}

export function refuseType(plan: Plan, extension: string): void {
  const refusal = typeRefusal(plan, extension);
  if (refusal !== undefined) throw new Failure('UPLOAD_TYPE_REFUSED', refusal);
}

export function refuseSize({ plan, freeBytes }: Limits, bytes: number): void {
  if (bytes > plan.maxFileSize) throw new Failure('UPLOAD_TOO_LARGE');
  if (bytes > freeBytes) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
}

export const limitsOf = (context: Pick<Context, 'config'>, account: LimitsColumns & Usage): Limits =>
  limitsIn(planOf(context, account), account);

const limitsIn = (plan: Plan, { space_used, slots_used }: Usage): Limits => ({
  plan,
  freeBytes: slots_used < plan.slotsQuota ? plan.spaceQuota - space_used : -1,
});

/** With Continuous Uploading, only favorites count against the quota. */
export async function readLimits(context: Pick<Context, 'db' | 'config'>, known: Known): Promise<Limits> {
  const { db } = context;
  const account = (await db.selectFrom('accounts').selectAll().where('id', '=', known.id).executeTakeFirst()) ?? known;
  const plan = planOf(context, account);
  if (!mayEvict(plan, account)) return limitsIn(plan, account);
  const favorites = await db
    .selectFrom('files')
    .select((eb) => [
      eb.fn.countAll<number>().as('slots_used'),
      sql<number>`cast(coalesce(sum(size), 0) AS bigint)`.as('space_used'),
    ])
    .where('account_id', '=', account.id)
    .where('is_favorite', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return limitsIn(plan, favorites);
}
