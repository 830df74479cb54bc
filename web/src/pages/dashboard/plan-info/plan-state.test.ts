import type { Subscription } from '@holdfast/contract/src/account.ts';
import { planLevels, standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { planState } from './plan-state.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const paid: Subscription = {
  level: 'Basic',
  period: 'monthly',
  status: 'active',
  period_ends: '2026-12-21T12:00:00Z',
  ends_with_period: false,
  grace_ends: null,
};
const failed: Subscription = { ...paid, status: 'past_due', grace_ends: '2026-11-25T12:00:00Z' };

const names = planLevels.map((level) => standardPlans[level].name);

test('without a subscription a plan is Free or granted', () => {
  expect(planState('Free', null, now, names)).toEqual({ kind: 'free' });
  expect(planState('Power', null, now, names)).toEqual({ kind: 'granted' });
});

test('a subscription at an unknown price is unnamed, on any plan', () => {
  const unnamed = { ...paid, level: null, period: null };
  expect(planState('Free', unnamed, now, names)).toEqual({ kind: 'unnamed' });
  expect(planState('Power', unnamed, now, names)).toEqual({ kind: 'unnamed' });
});

test('a subscription is renewed or ends with its period', () => {
  expect(planState('Basic', paid, now, names)).toEqual({ kind: 'renewing', subscription: paid, better: false });
  const ending = { ...paid, ends_with_period: true };
  expect(planState('Basic', ending, now, names)).toEqual({ kind: 'ending', subscription: ending, better: false });
});

test('after a failed payment the plan is kept until the grace period ends', () => {
  const until = '2026-11-25T12:00:00Z';
  expect(planState('Basic', failed, now, names)).toEqual({
    kind: 'past-due',
    subscription: failed,
    better: false,
    until,
  });
  expect(planState('Free', failed, Date.parse(until), names)).toEqual({
    kind: 'lapsed',
    subscription: failed,
    better: false,
    until,
  });
});
