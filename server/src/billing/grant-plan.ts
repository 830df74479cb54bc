import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../engines/database/database.ts';
import { setLevel } from './set-level.ts';

/**
 * Gives an account a plan without money, as only an operator may; `free` takes it back. What the account pays for stays
 * its own, and the better of the two is its level. Answers the level that it has now, or null where there is no such
 * open account. `alongside` runs in the same transaction.
 */
export function grantPlan(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  accountId: string,
  level: PlanLevel,
  alongside: (tx: Transaction, level: PlanLevel) => Promise<void> = async () => {},
): Promise<PlanLevel | null> {
  return db.transaction().execute(async (tx) => {
    const granted = await tx
      .updateTable('accounts')
      .set({ granted_level: level, changed_at: clock.now() })
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
