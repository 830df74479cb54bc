/** Changed only in the transaction that adds or removes files. */
import type { Plan } from '@holdfast/contract/src/plans.ts';
import type { ExpressionBuilder } from 'kysely';
import { prepared } from '../storage/db/prepared.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { AccountRow, Schema } from '../storage/db/schema.ts';

type Accounts = ExpressionBuilder<Schema, 'accounts'>;
type Quotas = Pick<Plan, 'spaceQuota' | 'slotsQuota'>;

/** What may be in use before. */
export const before = ({ spaceQuota, slotsQuota }: Quotas, size: number, files: number) => ({
  space: spaceQuota - size,
  slots: slotsQuota - files,
});

export const hasRoom = (eb: Accounts, { space, slots }: ReturnType<typeof before>) =>
  eb.and([eb('space_used', '<=', space), eb('slots_used', '<=', slots)]);

export const used = (eb: Accounts, size: number, files: number) => ({
  space_used: eb('space_used', '+', size),
  slots_used: eb('slots_used', '+', files),
});

export async function reserveQuota(
  tx: Transaction,
  accountId: AccountRow['id'],
  plan: Quotas,
  size: number,
  files = 1,
): Promise<boolean> {
  const filled = await tx
    .updateTable('accounts')
    .set((eb) => used(eb, size, files))
    .where('id', '=', accountId)
    .where((eb) => hasRoom(eb, before(plan, size, files)))
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
    .set((eb) => used(eb, -bytes, -files.length))
    .where('id', '=', accountId)
    .execute();
}
