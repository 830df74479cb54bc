/** An upload is judged three times, but only the transaction that reserves its quota decides. */
import { typeRefusal } from '@holdfast/contract/src/accepted-types.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import { type LimitsColumns, planOf } from '../accounts/plan-of.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { AccountRow, FileRow } from '../storage/db/schema.ts';
import { evict, mayEvict } from '../files/evict.ts';
import { reserveQuota } from '../files/quota.ts';

type Usage = Pick<AccountRow, 'space_used' | 'slots_used'>;
type Known = LimitsColumns & Usage & Pick<AccountRow, 'id' | 'continuous_uploading'>;

/** `freeBytes` is negative when no file fits. */
interface Limits {
  readonly plan: Plan;
  readonly freeBytes: number;
}

export type EarlyRefusal = ReturnType<typeof openEarlyRefusal>;

const formOverheadBytes = 64 * 1024;
/** Others fill the storage too. */
const lookEvery = 16 * 1024 * 1024;

/** It reads the account again before it refuses: with Continuous Uploading, only favorites count against the quota. */
export function openEarlyRefusal(context: Pick<Context, 'db' | 'config' | 'blobs'>, account: Known) {
  let limits = limitsOf(planOf(context, account), account);
  let nextLook = lookEvery;
  const judge = async (refuse: (known: Limits) => void) => {
    try {
      refuse(limits);
    } catch {
      limits = await readLimits(context, account);
      refuse(limits);
    }
  };
  const refuseWithoutRoom = async (bytes: number) => {
    if (bytes > (await context.blobs.freeSpace.room())) throw new Failure('UPLOAD_STORAGE_FULL');
  };
  return {
    /** The size of a form, null if unknown, is judged before it is read. */
    async declared(formBytes: number | null) {
      const bytes = Math.max(0, (formBytes ?? 0) - formOverheadBytes);
      await judge((known) => refuseSize(known, bytes));
      await refuseWithoutRoom(bytes);
    },
    type: (extension: string) => judge(({ plan }) => refuseType(plan, extension)),
    isDue: (bytes: number) => bytes > Math.min(limits.plan.maxFileSize, limits.freeBytes) || bytes >= nextLook,
    async size(bytes: number) {
      await judge((known) => refuseSize(known, bytes));
      if (bytes < nextLook) return;
      nextLook = bytes + lookEvery;
      await refuseWithoutRoom(0);
    },
  };
}

export function seemsToFit(
  context: Pick<Context, 'config'>,
  account: LimitsColumns & Usage,
  { extension, size }: Pick<FileRow, 'extension' | 'size'>,
): boolean {
  const { plan, freeBytes } = limitsOf(planOf(context, account), account);
  return typeRefusal(plan, extension) === undefined && size <= Math.min(plan.maxFileSize, freeBytes);
}

/** The transaction must hold a lock on the account's row. */
export async function reserveForUpload(
  context: Pick<Context, 'config'>,
  tx: Transaction,
  account: AccountRow,
  file: Pick<FileRow, 'extension' | 'size' | 'sha256'>,
  now: number,
): Promise<void> {
  const limits = limitsOf(planOf(context, account), account);
  const { plan, freeBytes } = limits;
  refuseType(plan, file.extension);
  const isFull = file.size > freeBytes;
  refuseSize(isFull && mayEvict(plan, account) ? { plan, freeBytes: Infinity } : limits, file.size);
  const bytes = account.space_used + file.size - plan.spaceQuota;
  const slots = account.slots_used + 1 - plan.slotsQuota;
  if (isFull) await evict(tx, { accountId: account.id, sha256: file.sha256, bytes, slots, now });
  if (!(await reserveQuota(tx, account.id, plan, file.size))) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
}

function refuseType(plan: Plan, extension: string): void {
  const refusal = typeRefusal(plan, extension);
  if (refusal !== undefined) throw new Failure('UPLOAD_TYPE_REFUSED', refusal);
}

function refuseSize({ plan, freeBytes }: Limits, bytes: number): void {
  if (bytes > plan.maxFileSize) throw new Failure('UPLOAD_TOO_LARGE');
  if (bytes > freeBytes) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
}

const limitsOf = (plan: Plan, { space_used, slots_used }: Usage): Limits => ({
  plan,
  freeBytes: slots_used < plan.slotsQuota ? plan.spaceQuota - space_used : -1,
});

async function readLimits(context: Pick<Context, 'db' | 'config'>, known: Known): Promise<Limits> {
  const { db } = context;
  const account = (await db.selectFrom('accounts').selectAll().where('id', '=', known.id).executeTakeFirst()) ?? known;
  const plan = planOf(context, account);
  if (!mayEvict(plan, account)) return limitsOf(plan, account);
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
  return limitsOf(plan, favorites);
}
