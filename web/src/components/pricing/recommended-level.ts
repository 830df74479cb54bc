import { type PaidLevel, paidLevels } from '@holdfast/contract/src/plans.ts';
import type { PlanViewer } from './plan-button.ts';

/** The middle one of the plans for sale, for those who have none; undefined if nothing is for sale. */
export function recommendedLevel({
  current,
  period,
  offers,
}: Pick<PlanViewer, 'current' | 'period' | 'offers'>): PaidLevel | undefined {
  if (current !== null && current !== 'free') return undefined;
  const forSale = paidLevels.filter((level) => offers.includes(`${level}_${period}`));
  return forSale[(forSale.length - 1) >> 1];
}
