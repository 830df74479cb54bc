import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../engines/database/database.ts';
import { setLevel } from '../billing/subscription.ts';

/**
 * Grants an account a plan without payment, as only an operator may; `free` revokes it. A paid subscription is
 * unaffected, and the better of the two is the account's level. Returns the new level, or null if there is no such open
 * account. `alongside` runs in the same transaction.
 */
export function grantPlan(
  { db }: Pick<Context, 'db' | 'clock'>,
  accountId: string,
  level: PlanLevel,
  alongside: (tx: Transaction, level: PlanLevel) => Promise<void> = async () => {},
): Promise<PlanLevel | null> {
  return db.transaction().execute(async (tx) => {
    const granted = await tx
      .updateTable('accounts')
      .set({ granted_level: level })
      .where('id', '=', accountId)
      .where('closed_at', 'is', null)
      .returning(['id', 'level', 'granted_level'])
      .executeTakeFirst();
    if (!granted) return null;
    const now = await setLevel(tx, granted);
    await alongside(tx, now);
    return now;
  });
}
