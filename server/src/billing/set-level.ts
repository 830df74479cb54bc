import type { Context } from '../context.ts';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Transaction } from '../engines/database/database.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { effectiveLevel } from './effective-level.ts';

/** Updates an account's level in a transaction that has locked its row. Returns the level. */
export async function setLevel(
  tx: Transaction,
  account: Pick<AccountRow, 'id' | 'level' | 'granted_level'>,
): Promise<PlanLevel> {
  const paid = await tx
    .selectFrom('subscriptions')
    .select(['level', 'status', 'grace_over'])
    .where('account_id', '=', account.id)
    .executeTakeFirst();
  const level = effectiveLevel(account.granted_level, paid);
  if (level !== account.level) await tx.updateTable('accounts').set({ level }).where('id', '=', account.id).execute();
  return level;
}

/** Call it after the transaction has been committed. A plan that an operator grants is an entry of the audit log. */
export function logPlanChange({ log }: Pick<Context, 'log'>, account: string, from: PlanLevel, to: PlanLevel): void {
  if (from !== to) log.info({ event: 'plan-change', outcome: 'done', account, from, to }, 'security event');
}
