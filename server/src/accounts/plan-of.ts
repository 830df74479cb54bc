import { changePlan, type Plan, type PlanChange } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../storage/db/schema.ts';

/** Limits that an operator gave one account. They hold instead of those of its plan, whatever plan it has. */
export type OwnLimits = Pick<PlanChange, 'maxFileSize' | 'spaceQuota' | 'slotsQuota' | 'maxDownloadMbps'>;

/** Columns that decide an account's limits. */
export type LimitsColumns = Pick<AccountRow, 'level' | 'own_limits'>;

/** Returns the plan that an account has now, with the limits of this service, or its own where it has some. */
export function planOf({ plans }: Pick<Context, 'plans'>, { level, own_limits }: LimitsColumns): Plan {
  return own_limits === '' ? plans[level] : changePlan(plans[level], ownLimitsIn(own_limits));
}

/** Reads the column `own_limits`. */
export const ownLimitsIn = (column: string): OwnLimits => (column === '' ? {} : (JSON.parse(column) as OwnLimits));

/** Returns limits as the column `own_limits` holds them. */
export const ownLimitsColumn = (limits: OwnLimits): string =>
  Object.keys(limits).length === 0 ? '' : JSON.stringify(limits);
