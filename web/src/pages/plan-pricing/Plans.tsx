import { getRouteApi } from '@tanstack/react-router';
import { Pricing } from '../../layouts/pricing/Pricing.tsx';

const route = getRouteApi('/open/plan-pricing');

/** Whoever was led back because their plan is a gift can buy a larger one from here. */
export function Plans() {
  return <Pricing isGift={route.useSearch().problem === 'granted'} />;
}
