import { changePlan, type Plan, type PlanChange } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../storage/db/schema.ts';

/** They hold instead of those of the plan, whatever plan the account has. */
export type OwnLimits = Pick<PlanChange, 'maxFileSize' | 'spaceQuota' | 'slotsQuota' | 'maxDownloadMbps'>;

export type LimitsColumns = Pick<AccountRow, 'level' | 'own_limits'>;

export function planOf({ config: { plans } }: Pick<Context, 'config'>, { level, own_limits }: LimitsColumns): Plan {
  return own_limits === '' ? plans[level] : changePlan(plans[level], ownLimitsIn(own_limits));
}

export const ownLimitsIn = (column: string): OwnLimits => (column === '' ? {} : (JSON.parse(column) as OwnLimits));

export const ownLimitsColumn = (limits: OwnLimits): string =>
  Object.keys(limits).length === 0 ? '' : JSON.stringify(limits);
