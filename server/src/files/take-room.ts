import { Failure } from '@holdfast/contract/src/errors.ts';
import { plans } from '@holdfast/contract/src/plans.ts';
import type { ExpressionBuilder } from 'kysely';
import type { Caller } from '../accounts/identify.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
import type { AccountRow, Schema } from '../engines/database/schema.ts';
import { evict } from './evict.ts';
import { refuseSize, refuseType } from './plan-rules.ts';
import { fillRoom, isWithinQuota } from './space.ts';

/**
 * Takes room for one file. It holds the account's row first, so that uploads commit one after the other, each by the
 * plan of this moment: a downgrade in between is seen, and so is what the uploader came in with. A key that was changed
 * or a session that was ended meanwhile keeps nothing. Where room is missing and Continuous Uploading is on, the oldest
 * files go, and their blobs are answered: after the commit the memory cache has to forget them.
 * @throws {Failure} an UPLOAD_… code, AUTH_INVALID_KEY, AUTH_REQUIRED.
 */
export async function takeRoom(tx: Transaction, caller: Caller, file: NewFile, now: number): Promise<BlobId[]> {
  const account = await holdAccount(tx, caller, now);
  const plan = plans[account.level];
  refuseType(plan, file.extension);
  refuseSize(plan, file.size);
  const evicted = await makeRoom(tx, account, file, now);
  if (!(await fillRoom(tx, account, file.size))) throw new Failure('UPLOAD_NO_ROOM');
  return evicted;
}

export interface NewFile {
  readonly extension: string;
  readonly size: number;
  readonly sha256: string;
}

async function holdAccount(tx: Transaction, caller: Caller, now: number): Promise<AccountRow> {
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

/** An account above its quota, after a downgrade, waits until there is room: only what a new file needs may go for it. */
async function makeRoom(tx: Transaction, account: AccountRow, file: NewFile, now: number): Promise<BlobId[]> {
  const { spaceQuota, slotsQuota } = plans[account.level];
  const bytes = account.space_used + file.size - spaceQuota;
  const slots = account.slots_used + 1 - slotsQuota;
  if (bytes <= 0 && slots <= 0) return [];
  if (account.continuous_uploading === 0 || !isWithinQuota(account)) throw new Failure('UPLOAD_NO_ROOM');
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
