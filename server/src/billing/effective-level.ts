import { type PlanLevel, planLevels } from '@holdfast/contract/src/plans.ts';
import type { SubscriptionRow } from '../engines/database/schema.ts';

type Paid = Pick<SubscriptionRow, 'level' | 'status' | 'grace_over'>;

/**
 * The plan of an account: the better of the granted plan and the paid plan. If a payment fails, or the provider is
 * unavailable for a long time, the account loses the paid plan at the end of the grace period, but no files.
 */
export function effectiveLevel(granted: PlanLevel, paid: Paid | undefined): PlanLevel {
  const given = paid && isGiven(paid) ? paid.level : null;
  return given !== null && rank(given) > rank(granted) ? given : granted;
}

function isGiven({ status, grace_over }: Paid): boolean {
  return grace_over === 0 && (status === 'active' || status === 'past_due');
}

/** The higher, the better. */
export const rank = (level: PlanLevel): number => planLevels.indexOf(level);
