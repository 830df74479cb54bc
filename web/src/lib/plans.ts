import {
  changePlans,
  hasBetterOffer,
  type Plan,
  type PlanLevel,
  planLevels,
  type PublicLevel,
  publicLevels,
} from '@holdfast/contract/src/plans.ts';
import { site } from './site.ts';

/** The plans of this service. */
export const plans = changePlans(site.planChanges);

/** Their display names, the best last. */
export const planNames = planLevels.map((level) => plans[level].name);

/**
 * The tiers of the speed test that are shown. Without prices it is that of new accounts, or the best one where they have
 * no limits.
 */
export const shownTiers: readonly PublicLevel[] = site.pricing ? publicLevels : [tierOf(site.defaultPlan)];

/** Without prices, a tier has the name of the plan that everybody has. */
export const tierName = (level: PlanLevel): string => plans[site.pricing ? level : site.defaultPlan].name;

function tierOf(level: PlanLevel): PublicLevel {
  return level === 'house' ? 'power' : level;
}

/** Returns whether somebody on this plan can buy a better one. */
export const sellsBetterThan = (level: PlanLevel): boolean => hasBetterOffer(site.offers, level);

/** Returns the plan with this display name, which the API gives; null if there is none. */
export const planNamed = (name: string): Plan | null => Object.values(plans).find((plan) => plan.name === name) ?? null;

export const levelNamed = (name: string): PlanLevel | null => planNamed(name)?.level ?? null;
