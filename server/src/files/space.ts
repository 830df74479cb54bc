/** The usage columns of an account: they change here only, in the transaction that adds or removes files. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import { plans } from '@holdfast/contract/src/plans.ts';
import type { Transaction } from '../engines/database/database.ts';
import type { AccountRow } from '../engines/database/schema.ts';

/**
 * Takes room for one file. The condition stands in the statement that takes it, so no two uploads can take
 * the same room; the plan is part of it, so a downgrade in between is seen.
 * @throws {Failure} UPLOAD_NO_ROOM.
 */
export async function takeRoom(
  tx: Transaction,
  account: Pick<AccountRow, 'id' | 'level'>,
  size: number,
  now: number,
): Promise<void> {
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
    .executeTakeFirst();
  if (Number(taken.numUpdatedRows) !== 1) throw new Failure('UPLOAD_NO_ROOM');
}

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
