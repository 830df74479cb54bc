import { billingPeriods, paidLevels, planLevels, plans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { type PlanViewer, planButton } from './plan-button.ts';

const all = paidLevels.flatMap((level) => billingPeriods.map((period) => `${level}_${period}`));
const labels = (buyer: PlanViewer) => planLevels.map((level) => planButton(plans[level], buyer)?.label ?? null);
const everyBuyer = [null, ...planLevels].flatMap((current) =>
  [all, []].map((offers): PlanViewer => ({ current, offers, period: 'monthly' })),
);

test.each(everyBuyer)('Free has no button: %o', (buyer) => {
  expect(planButton(plans.free, buyer)).toBeNull();
});

test.each([[all], [[]]])('a visitor is asked to sign in, whatever is for sale: %j', (offers) => {
  for (const level of paidLevels)
    expect(planButton(plans[level], { current: null, period: 'yearly', offers })).toEqual({
      label: 'Sign in to continue',
      to: 'sign-in',
      href: '/sign-in',
    });
});

test('on Free every plan is unlocked at a link of its own, for the period that was chosen', () => {
  for (const period of ['monthly', 'yearly'] as const)
    for (const level of paidLevels)
      expect(planButton(plans[level], { current: 'free', period, offers: all })).toEqual({
        label: 'Unlock This Plan',
        to: 'subscription',
        href: `/api/stripe/subscription?plan=${level}_${period}`,
      });
});

test('on a paid plan one manages it and switches to others, all at the one subscription', () => {
  const buyer = { current: 'basic', period: 'yearly', offers: all } as const;
  expect(labels(buyer)).toEqual([null, 'Switch to Starter', 'Manage Plan', 'Switch to Advanced', 'Switch to Power']);
  for (const level of paidLevels) expect(planButton(plans[level], buyer)?.href).toBe('/api/stripe/subscription');
});

test('an account with a granted plan buys another by a link that names it', () => {
  const buyer = { current: 'basic', period: 'yearly', offers: all, isGift: true } as const;
  expect(labels(buyer)).toEqual([null, 'Switch to Starter', 'Manage Plan', 'Switch to Advanced', 'Switch to Power']);
  expect(planButton(plans.power, buyer)?.href).toBe('/api/stripe/subscription?plan=power_yearly');
});

test('where nothing is for sale every button is unavailable and leads nowhere', () => {
  for (const current of planLevels)
    for (const level of paidLevels)
      expect(planButton(plans[level], { current, period: 'monthly', offers: [] })).toMatchObject({
        label: 'Unavailable',
        to: null,
      });
});

test('a plan without a price for the period is unavailable, and the one that is paid for can still be managed', () => {
  const offers = ['basic_monthly', 'power_yearly'];
  const monthly = (current: PlanViewer['current']) => labels({ current, period: 'monthly', offers });
  expect(monthly('free')).toEqual([null, 'Unavailable', 'Unlock This Plan', 'Unavailable', 'Unavailable']);
  expect(monthly('power')).toEqual([null, 'Unavailable', 'Switch to Basic', 'Unavailable', 'Manage Plan']);
});
