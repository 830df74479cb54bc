import { billingPeriods, paidLevels, publicLevels, standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { type PlanViewer, planButton } from './plan-button.ts';

const all = paidLevels.flatMap((level) => billingPeriods.map((period) => `${level}_${period}`));
const labels = (buyer: PlanViewer) =>
  publicLevels.map((level) => planButton(standardPlans[level], buyer)?.label ?? null);

test.each([[all], [[]]])('a visitor is asked to sign in, for any offers: %j', (offers) => {
  for (const level of paidLevels)
    expect(planButton(standardPlans[level], { current: null, period: 'yearly', offers })).toEqual({
      label: 'Sign in to continue',
      to: 'sign-in',
      href: '/sign-in',
    });
});

test('on Free each button unlocks its plan for the chosen period', () => {
  for (const period of ['monthly', 'yearly'] as const)
    for (const level of paidLevels)
      expect(planButton(standardPlans[level], { current: 'free', period, offers: all })).toEqual({
        label: 'Unlock This Plan',
        to: 'subscription',
        href: `/api/stripe/subscription?plan=${level}_${period}`,
      });
});

test('on a paid plan the buttons manage it and switch to others, at one link', () => {
  const buyer = { current: 'basic', period: 'yearly', offers: all } as const;
  expect(labels(buyer)).toEqual([null, 'Switch to Starter', 'Manage Plan', 'Switch to Advanced', 'Switch to Power']);
  for (const level of paidLevels)
    expect(planButton(standardPlans[level], buyer)?.href).toBe('/api/stripe/subscription');
});

test('an account with a granted plan buys another by a link with its name', () => {
  const buyer = { current: 'basic', period: 'yearly', offers: all, isGift: true } as const;
  expect(labels(buyer)).toEqual([null, 'Switch to Starter', 'Manage Plan', 'Switch to Advanced', 'Switch to Power']);
  expect(planButton(standardPlans.power, buyer)?.href).toBe('/api/stripe/subscription?plan=power_yearly');
});

test('each link to a payment names the account that the page shows', () => {
  const buyer = { account: '-Nq3', period: 'yearly', offers: all } as const;
  const hrefs = (current: 'free' | 'basic', isGift = false) =>
    paidLevels.map((level) => planButton(standardPlans[level], { ...buyer, current, isGift })?.href);
  for (const href of [...hrefs('free'), ...hrefs('basic'), ...hrefs('basic', true)])
    expect(new URLSearchParams(href?.split('?')[1]).get('account')).toBe('-Nq3');
  expect(hrefs('free')[0]).toBe('/api/stripe/subscription?plan=starter_yearly&account=-Nq3');
});

test('a plan without a price for the period is unavailable, and a paid plan stays manageable', () => {
  const offers = ['basic_monthly', 'power_yearly'];
  const monthly = (current: PlanViewer['current']) => labels({ current, period: 'monthly', offers });
  expect(monthly('free')).toEqual([null, 'Unavailable', 'Unlock This Plan', 'Unavailable', 'Unavailable']);
  expect(monthly('power')).toEqual([null, 'Unavailable', 'Switch to Basic', 'Unavailable', 'Manage Plan']);
});
