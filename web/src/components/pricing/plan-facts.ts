import { type Plan, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import { formatCountLimit, formatShortLimit, formatShortSize } from '../../lib/format.ts';

export interface PlanFact {
  readonly name: string;
  readonly value: string;
  readonly aside?: string;
}

export function planFacts(plan: Plan): readonly PlanFact[] {
  return [
    { name: 'Download speed', ...speed(plan.maxDownloadMbps) },
    { name: 'Cache priority', value: plan.cachePriorityPercent === 0 ? 'Base' : `+${plan.cachePriorityPercent}%` },
    { name: 'Max file size', value: formatShortLimit(plan.maxFileSize) },
    { name: 'Account space', value: formatShortLimit(plan.spaceQuota) },
    { name: 'File slots', value: formatCountLimit(plan.slotsQuota) },
    { name: 'File types', value: typesOf(plan) },
  ];
}

function typesOf({ allowedExtensions }: Plan): string {
  if (allowedExtensions === null) return 'Any';
  return allowedExtensions.size === 1 ? '1 type' : `${allowedExtensions.size} types`;
}

function speed(mbps: number): Pick<PlanFact, 'value' | 'aside'> {
  if (mbps >= unlimitedMbps) return { value: 'Unlimited' };
  return { value: `${mbps} Mbps`, aside: `${formatShortSize(mbps * 125_000)}/s` };
}
