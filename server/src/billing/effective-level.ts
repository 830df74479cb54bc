import { type PlanLevel, planLevels } from '@holdfast/contract/src/plans.ts';
import type { SubscriptionRow } from '../engines/database/schema.ts';

type Paid = Pick<SubscriptionRow, 'level' | 'status' | 'grace_over'>;

/**
 * The plan of an account: the better one of what the operator gave and what is paid for. A payment that failed, or that
 * nobody could be asked about for long, takes the plan away when its grace is over, and no file with it.
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
