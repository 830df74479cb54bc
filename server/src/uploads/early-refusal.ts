import { Failure } from '@holdfast/contract/src/errors.ts';
import { plans } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Database } from '../engines/database/database.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { refuseSize, refuseType } from './plan-rules.ts';
import { isWithinQuota } from '../files/quota.ts';
import { findStoredUpload, type StoredUpload, type UploadKey } from './idempotency-key.ts';

type Known = Pick<AccountRow, 'id' | 'level' | 'space_used' | 'slots_used' | 'continuous_uploading'>;

/** Known state of an upload's account, and the largest file that fits, in bytes; negative when no file fits. */
interface Limits {
  readonly account: Known;
  readonly freeBytes: number;
}

export interface EarlyRefusal {
  /** @throws {Failure} UPLOAD_TYPE_REFUSED. */
  type(extension: string): Promise<void>;
  /** @throws {Failure} UPLOAD_TOO_LARGE, UPLOAD_QUOTA_EXCEEDED. */
  size(bytes: number): Promise<void>;
}

/**
 * Refuses an upload that cannot fit before it is fully read. For one that fits now, `reserveForUpload` still makes the final
 * decision. Before it refuses, it reads the account again: the plan or the free quota may be larger by now, and with
 * Continuous Uploading only favorites count against the quota. An earlier try of the same upload may also have reserved
 * the last quota in the meantime.
 */
export function openEarlyRefusal(
  context: Pick<Context, 'db' | 'clock'>,
  account: Known,
  key: UploadKey | null,
): EarlyRefusal {
  let limits: Limits = { account, freeBytes: freeBytesOf(account) };
  let stored: StoredUpload | undefined;
  const judge = async (refuse: (limits: Limits) => void) => {
    if (stored) return;
    try {
      refuse(limits);
    } catch {
      limits = await readLimits(context.db, account);
      try {
        refuse(limits);
      } catch (refusal) {
        stored = key === null ? undefined : await findStoredUpload(context, key);
        if (!stored) throw refusal;
      }
    }
  };
  return {
    type: (extension) => judge((known) => refuseType(plans[known.account.level], extension)),
    async size(bytes) {
      await judge(({ account: { level }, freeBytes }) => {
        refuseSize(plans[level], bytes);
        if (bytes > freeBytes) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
      });
      if (stored) refuseLonger(stored, bytes);
    },
  };
}

/**
 * Checks a repeated upload that an earlier try has stored. It needs no quota, and a longer file is a different file.
 */
export function openLengthRefusal(stored: StoredUpload): EarlyRefusal {
  return { async type() {}, size: async (bytes) => refuseLonger(stored, bytes) };
}

function refuseLonger({ size }: StoredUpload, bytes: number): void {
  if (bytes > size) throw new Failure('UPLOAD_KEY_REUSED');
}

function freeBytesOf({ level, space_used, slots_used }: Known): number {
  const { spaceQuota, slotsQuota } = plans[level];
  return slots_used < slotsQuota ? spaceQuota - space_used : -1;
}

async function readLimits(db: Database, known: Known): Promise<Limits> {
  const account = (await db.selectFrom('accounts').selectAll().where('id', '=', known.id).executeTakeFirst()) ?? known;
  if (account.continuous_uploading === 0 || !isWithinQuota(account))
    return { account, freeBytes: freeBytesOf(account) };
  const { spaceQuota, slotsQuota } = plans[account.level];
  const favorites = await db
    .selectFrom('files')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`cast(coalesce(sum(size), 0) AS bigint)`.as('bytes'),
    ])
    .where('account_id', '=', account.id)
    .where('is_favorite', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { account, freeBytes: favorites.count < slotsQuota ? spaceQuota - favorites.bytes : -1 };
}

/** Allowance for the boundaries, part headers and small fields around a file. */
const formOverheadBytes = 64 * 1024;

/**
 * Returns the least number of file bytes in a form of `formBytes` (Content-Length). A form is at least as large as its
 * file. Returns 0 if the length is unknown (null).
 */
export function surelyFileBytes(formBytes: number | null): number {
  return Math.max(0, (formBytes ?? 0) - formOverheadBytes);
}
