import type { Plan } from '@holdfast/contract/src/plans.ts';
import { ownLimitsColumn, ownLimitsIn, type OwnLimits, planOf } from '../accounts/plan-of.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { type Actor, recordAction } from './record-action.ts';

/** The limits to change; `plan` means the limit of the plan again. */
export type LimitChanges = { readonly [Key in keyof OwnLimits]: OwnLimits[Key] | 'plan' };

/**
 * Gives an account limits of its own, or some of its plan's back; what `changes` leaves out stays. Nothing is deleted
 * when the account has more than a new limit. Returns the plan with the limits that hold now, or null if there is no such
 * open account.
 */
export function setLimits(
  context: Context,
  actor: Actor,
  { id, email }: Pick<AccountRow, 'id' | 'email'>,
  changes: LimitChanges,
): Promise<Plan | null> {
  return context.db.transaction().execute(async (tx) => {
    // This update locks the row, so that two changes at once do not lose one of them.
    const before = await tx
      .updateTable('accounts')
      .set((eb) => ({ own_limits: eb.ref('own_limits') }))
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .returning(['level', 'own_limits'])
      .executeTakeFirst();
    if (!before) return null;
    const limits: OwnLimits = Object.fromEntries(
      Object.entries({ ...ownLimitsIn(before.own_limits), ...changes }).filter(([, value]) => value !== 'plan'),
    );
    const own_limits = ownLimitsColumn(limits);
    await tx.updateTable('accounts').set({ own_limits }).where('id', '=', id).execute();
    await recordAction({ ...context, db: tx }, actor, {
      subject: email,
      details: { limits, before: ownLimitsIn(before.own_limits) },
    });
    return planOf(context, { level: before.level, own_limits });
  });
}
