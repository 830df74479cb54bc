import { type Plan, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import { formatCount, formatSize } from '../../lib/format.ts';

export interface PlanFact {
  readonly name: string;
  readonly value: string;
  /** Secondary wording of the same fact. */
  readonly aside?: string;
}

/** Limits and features of a plan, in the order in which cards show them. */
export function planFacts(plan: Plan): readonly PlanFact[] {
  return [
    { name: 'Download speed', ...speed(plan.maxDownloadMbps) },
    { name: 'Cache priority', value: plan.cachePriorityPercent === 0 ? 'Base' : `+${plan.cachePriorityPercent}%` },
    { name: 'Max file size', value: formatRound(plan.maxFileSize) },
    { name: 'Account space', value: formatRound(plan.spaceQuota) },
    { name: 'File slots', value: formatCount(plan.slotsQuota) },
    { name: 'File types', value: plan.allowedExtensions ? `${plan.allowedExtensions.size} types` : 'Any' },
  ];
}

function speed(mbps: number): Pick<PlanFact, 'value' | 'aside'> {
  if (mbps >= unlimitedMbps) return { value: 'Unlimited' };
  return { value: `${mbps} Mbps`, aside: `${formatShort(mbps * 125_000)}/s` };
}

/** `100.00 MB` → `100 MB`. */
const formatRound = (bytes: number) => formatSize(bytes).replace('.00', '');

/** `2.50 MB` → `2.5 MB`. */
const formatShort = (bytes: number) => formatSize(bytes).replace(/\.?0+ /, ' ');
