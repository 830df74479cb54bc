/** The usage columns of an account: they change here only, in the transaction that adds or removes files. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import { plans } from '@holdfast/contract/src/plans.ts';
import type { Transaction } from '../engines/database/database.ts';
import type { AccountRow, Schema } from '../engines/database/schema.ts';
import type { ExpressionBuilder } from 'kysely';
import type { Caller } from '../accounts/identify.ts';

/**
 * Takes room for one file. The condition stands in the statement that takes it, so no two uploads can take
 * the same room; the plan is part of it, so a downgrade in between is seen. And so is what the uploader came in with:
 * a key that was changed or a session that was ended meanwhile keeps nothing.
 * @throws {Failure} UPLOAD_NO_ROOM, AUTH_INVALID_KEY, AUTH_REQUIRED.
 */
export async function takeRoom(tx: Transaction, caller: Caller, size: number, now: number): Promise<void> {
  const { account } = caller;
  const { spaceQuota, slotsQuota } = plans[account.level];
  const taken = await tx
    .updateTable('accounts')
    .set((eb) => ({
      space_used: eb('space_used', '+', size),
      slots_used: eb('slots_used', '+', 1),
      last_active_at: now,
    }))
    .where('id', '=', account.id)
    .where('level', '=', account.level)
    .where('closed_at', 'is', null)
    .where('space_used', '<=', spaceQuota - size)
    .where('slots_used', '<', slotsQuota)
    .where(stillLetIn(caller))
    .executeTakeFirst();
  if (Number(taken.numUpdatedRows) === 1) return;
  const letIn = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', account.id)
    .where('closed_at', 'is', null)
    .where(stillLetIn(caller))
    .executeTakeFirst();
  if (letIn) throw new Failure('UPLOAD_NO_ROOM');
  throw new Failure(caller.by === 'key' ? 'AUTH_INVALID_KEY' : 'AUTH_REQUIRED');
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

export async function giveRoomBack(
  tx: Transaction,
  accountId: string,
  files: readonly { size: number }[],
): Promise<void> {
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  await tx
    .updateTable('accounts')
    .set((eb) => ({ space_used: eb('space_used', '-', bytes), slots_used: eb('slots_used', '-', files.length) }))
    .where('id', '=', accountId)
    .execute();
}

/** Room for the boundaries, part headers and small fields around a file. */
const formOverheadBytes = 64 * 1024;

/** A form is at least as large as its file, so most of what Content-Length says is file for sure; null says nothing. */
export function refuseByDeclaredSize(account: Fillable, formBytes: number | null): void {
  refuseWhatCannotFit(account, Math.max(0, (formBytes ?? 0) - formOverheadBytes));
}

type Fillable = Pick<AccountRow, 'level' | 'space_used' | 'slots_used'>;

/** Refuses early what cannot fit anyway; what fits now is still to be decided by `takeRoom`. */
export function refuseWhatCannotFit(account: Fillable, size: number): void {
  const plan = plans[account.level];
  if (size > plan.maxFileSize) throw new Failure('UPLOAD_TOO_LARGE');
  if (account.slots_used >= plan.slotsQuota || account.space_used + size > plan.spaceQuota)
    throw new Failure('UPLOAD_NO_ROOM');
}
