import { planLevels, plans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { type Buyer, planButton } from './plan-button.ts';

const paidLevels = planLevels.filter((level) => !plans[level].isFree);
const labels = (buyer: Buyer) => planLevels.map((level) => planButton(plans[level], buyer)?.label ?? null);
const everyBuyer = [null, ...planLevels].flatMap((current) =>
  [true, false].map((forSale): Buyer => ({ current, forSale, period: 'monthly' })),
);

test.each(everyBuyer)('Free has no button: %o', (buyer) => {
  expect(planButton(plans.free, buyer)).toBeNull();
});

test.each([true, false])('a visitor is asked to sign in, whether plans are for sale or not (%s)', (forSale) => {
  for (const level of paidLevels)
    expect(planButton(plans[level], { current: null, period: 'yearly', forSale })).toEqual({
      label: 'Sign in to continue',
      to: 'sign-in',
      href: '/sign-in',
    });
});

test('on Free every plan is unlocked at a link of its own, for the period that was chosen', () => {
  for (const period of ['monthly', 'yearly'] as const)
    for (const level of paidLevels)
      expect(planButton(plans[level], { current: 'free', period, forSale: true })).toEqual({
        label: 'Unlock This Plan',
        to: 'subscription',
        href: `/api/stripe/subscription?plan=${level}_${period}`,
      });
});

test('on a paid plan one manages it and switches to others, all at the one subscription', () => {
  const buyer = { current: 'basic', period: 'yearly', forSale: true } as const;
  expect(labels(buyer)).toEqual([null, 'Switch to Starter', 'Manage Plan', 'Switch to Advanced', 'Switch to Power']);
  for (const level of paidLevels) expect(planButton(plans[level], buyer)?.href).toBe('/api/stripe/subscription');
});

test('where nothing is for sale every button is unavailable and leads nowhere', () => {
  for (const current of planLevels)
    for (const level of paidLevels)
      expect(planButton(plans[level], { current, period: 'monthly', forSale: false })).toMatchObject({
        label: 'Unavailable',
        to: null,
      });
});
