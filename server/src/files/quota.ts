/** Changed only in the transaction that adds or removes files. */
import type { Plan } from '@holdfast/contract/src/plans.ts';
import { prepared } from '../storage/db/prepared.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { AccountRow } from '../storage/db/schema.ts';

export async function reserveQuota(
  tx: Transaction,
  accountId: AccountRow['id'],
  { spaceQuota, slotsQuota }: Pick<Plan, 'spaceQuota' | 'slotsQuota'>,
  size: number,
  files = 1,
): Promise<boolean> {
  const filled = await tx
    .updateTable('accounts')
    .set((eb) => ({ space_used: eb('space_used', '+', size), slots_used: eb('slots_used', '+', files) }))
    .where('id', '=', accountId)
    .where('space_used', '<=', spaceQuota - size)
    .where('slots_used', '<=', slotsQuota - files)
    .modifyEnd(prepared)
    .executeTakeFirst();
  return Number(filled.numUpdatedRows) === 1;
}

export async function releaseQuota(
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
