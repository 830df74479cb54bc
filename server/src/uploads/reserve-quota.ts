import { Failure } from '@holdfast/contract/src/errors.ts';
import { plans } from '@holdfast/contract/src/plans.ts';
import type { ExpressionBuilder } from 'kysely';
import type { Caller } from '../accounts/identify.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
import type { AccountRow, Schema } from '../engines/database/schema.ts';
import { evict } from '../files/evict.ts';
import { refuseSize, refuseType } from './plan-rules.ts';
import { reserveQuota, isWithinQuota } from '../files/quota.ts';

/**
 * Reserves quota for one file under the current plan. If quota is missing and Continuous Uploading is on, it evicts the
 * oldest files and returns their blobs, which the memory cache must forget after the commit. The transaction must hold
 * a lock on the account's row.
 * @throws {Failure} an UPLOAD_… code.
 */
export async function reserveForUpload(
  tx: Transaction,
  account: AccountRow,
  file: NewFile,
  now: number,
): Promise<BlobId[]> {
  const plan = plans[account.level];
  refuseType(plan, file.extension);
  refuseSize(plan, file.size);
  const evicted = await evictIfFull(tx, account, file, now);
  if (!(await reserveQuota(tx, account, file.size))) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
  return evicted;
}

export interface NewFile {
  readonly extension: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * Locks the account's row so that uploads commit one after the other, and sees a downgrade made in between. It checks
 * the uploader's credentials again: with a key changed or a session ended in the meantime, nothing is stored.
 * @throws {Failure} AUTH_INVALID_KEY, AUTH_REQUIRED.
 */
export async function holdAccount(tx: Transaction, caller: Caller, now: number): Promise<AccountRow> {
  const account = await tx
    .updateTable('accounts')
    .set({ last_active_at: now })
    .where('id', '=', caller.account.id)
    .where('closed_at', 'is', null)
    .where(stillLetIn(caller))
    .returningAll()
    .executeTakeFirst();
  if (account) return account;
  throw new Failure(caller.by === 'key' ? 'AUTH_INVALID_KEY' : 'AUTH_REQUIRED');
}

/** An account above its quota after a downgrade has to wait, because eviction may only free what the new file needs. */
async function evictIfFull(tx: Transaction, account: AccountRow, file: NewFile, now: number): Promise<BlobId[]> {
  const { spaceQuota, slotsQuota } = plans[account.level];
  const bytes = account.space_used + file.size - spaceQuota;
  const slots = account.slots_used + 1 - slotsQuota;
  if (bytes <= 0 && slots <= 0) return [];
  if (account.continuous_uploading === 0 || !isWithinQuota(account)) throw new Failure('UPLOAD_QUOTA_EXCEEDED');
  return evict(tx, { accountId: account.id, sha256: file.sha256, bytes, slots, now });
}

const stillLetIn =
  ({ account, sessionId }: Caller) =>
  (eb: ExpressionBuilder<Schema, 'accounts'>) =>
    sessionId === null
      ? eb('accounts.key_hash', '=', account.key_hash)
      : eb.exists(
          eb
            .selectFrom('sessions')
            .select('sessions.id')
            .where('sessions.id', '=', sessionId)
            .whereRef('sessions.account_id', '=', 'accounts.id'),
        );
