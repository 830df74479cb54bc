/** The usage columns of an account: they change here only, in the transaction that adds or removes files. */
import { plans } from '@holdfast/contract/src/plans.ts';
import type { Transaction } from '../engines/database/database.ts';
import type { AccountRow } from '../engines/database/schema.ts';

/** Fills room with one file, unless there is not enough: the condition stands in the statement that takes it. */
export async function fillRoom(
  tx: Transaction,
  { id, level }: Pick<AccountRow, 'id' | 'level'>,
  size: number,
): Promise<boolean> {
  const { spaceQuota, slotsQuota } = plans[level];
  const filled = await tx
    .updateTable('accounts')
    .set((eb) => ({ space_used: eb('space_used', '+', size), slots_used: eb('slots_used', '+', 1) }))
    .where('id', '=', id)
    .where('space_used', '<=', spaceQuota - size)
    .where('slots_used', '<', slotsQuota)
    .executeTakeFirst();
  return Number(filled.numUpdatedRows) === 1;
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

export function isWithinQuota(account: Pick<AccountRow, 'level' | 'space_used' | 'slots_used'>): boolean {
  const { spaceQuota, slotsQuota } = plans[account.level];
  return account.space_used <= spaceQuota && account.slots_used <= slotsQuota;
}
