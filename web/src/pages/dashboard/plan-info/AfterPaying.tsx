import { getRouteApi } from '@tanstack/react-router';
import { PlanArrives } from './PlanArrives.tsx';

const route = getRouteApi('/dashboard/plan-info');

/** For whoever comes back from a checkout. */
export function AfterPaying() {
  const { checkout } = route.useSearch();
  return checkout === 'paid' ? <PlanArrives /> : null;
}
