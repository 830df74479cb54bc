import { paymentEventsPath, subscriptionPath } from '@holdfast/contract/src/plans.ts';
import type { Page } from '@playwright/test';
import { type StripeStandIn, startStripe } from '../../server/test/stand-ins/stripe.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { type Site, startSite } from '../harness/site.ts';
import { test as base, expect, signUpAndIn } from '../harness/test.ts';

interface Shop {
  readonly site: Site;
  readonly stripe: StripeStandIn;
}

/** `shop` is a site that sells plans, and a payment provider with its payment pages. */
const test = base.extend<object, { shop: Shop }>({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- the framework reads the names of this parameter
    async ({}, use) => {
      await using stripe = await startStripe();
      await using site = await startSite(stripe.environment);
      stripe.deliverTo(site.url + paymentEventsPath);
      await use({ site, stripe });
    },
    { scope: 'worker' },
  ],
});

const card = (page: Page, plan: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: plan, exact: true }) });
const current = (page: Page) => page.getByRole('region', { name: 'Current plan' });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('a plan is bought from its card, switched and canceled in the portal, and Plan Info follows', async ({
  page,
  context,
  shop,
}) => {
  const { site } = shop;
  await signUpAndIn(site, context);
  await page.goto(`${site.url}/plan-pricing`);
  await page.getByRole('radio', { name: 'Yearly' }).check();
  await card(page, 'Basic').getByRole('link', { name: 'Unlock This Plan' }).click();
  await expect(pageHeading(page)).toHaveText('Checkout');
  await expect(page.getByText('price_basic_yearly')).toBeVisible();
  await press(page, 'Pay with a bad card');
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  await press(page, 'Pay and subscribe');

  await expect(pageHeading(page)).toHaveText('Plan Info');
  await expect(toast(page, 'Thank you! You are on Basic now.')).toBeVisible();
  await expect(current(page)).toContainText('Basic');
  await expect(current(page)).toContainText('$29.99 a year. Renews on');
  await expect(page.getByText('2 GB').or(page.getByText('2.00 GB')).first()).toBeVisible();

  await current(page).getByRole('link', { name: 'Manage Plan' }).click();
  await expect(pageHeading(page)).toHaveText('Billing');
  await press(page, 'Switch to price_power_monthly');
  await press(page, 'Cancel plan');
  await press(page, 'Return');
  await expect(current(page)).toContainText('$9.99 a month. Ends on');

  await page.goto(`${site.url}/plan-pricing`);
  await expect(card(page, 'Power')).toContainText('Current plan');
  await card(page, 'Basic').getByRole('link', { name: 'Switch to Basic' }).click();
  await expect(pageHeading(page)).toHaveText('Billing');
  await press(page, 'End now');
  await press(page, 'Return');
  await expect(current(page)).toContainText('Free');
});

test('an account with a granted plan can buy a larger one, and sees why not a smaller one', async ({
  page,
  context,
  shop,
}) => {
  const { site } = shop;
  const { email } = await signUpAndIn(site, context);
  site.putOnPlan(email, 'basic');
  await page.goto(`${site.url}/plan-pricing`);
  for (const name of ['Switch to Power', 'Switch to Starter']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(/\/plan-pricing\?problem=granted$/);
    await expect(page.getByRole('alert')).toContainText('no subscription to manage or switch');
  }
  await card(page, 'Power').getByRole('link', { name: 'Switch to Power' }).click();
  await expect(page.getByText('price_power_monthly')).toBeVisible();
  await press(page, 'Pay and subscribe');
  await expect(current(page)).toContainText('$9.99 a month. Renews on');
  await expect(current(page)).toContainText('Power');
});

test('a change that is made in the portal is seen on the way back, also before the event', async ({
  page,
  context,
  shop,
}) => {
  const { site, stripe } = shop;
  await signUpAndIn(site, context);
  await page.goto(`${site.url}/plan-pricing`);
  await card(page, 'Power').getByRole('link', { name: 'Unlock This Plan' }).click();
  await press(page, 'Pay and subscribe');
  await expect(current(page)).toContainText('$9.99 a month. Renews on');
  await stripe.delivered();
  stripe.deliverTo(null);
  // Backdates the last read of the subscription: no user finishes in the portal sooner than that.
  using database = site.openDatabase();
  database.exec('UPDATE subscriptions SET read_at = read_at - 3000');
  await current(page).getByRole('link', { name: 'Manage Plan' }).click();
  await press(page, 'Switch to price_starter_monthly');
  await press(page, 'Return');
  await expect(current(page)).toContainText('$0.99 a month. Renews on');
  await expect(current(page)).toContainText('Starter');
  await expect(current(page)).not.toContainText('gave you');
  stripe.deliverTo(site.url + paymentEventsPath);
});

test('a checkout that was left can be opened again', async ({ page, context, shop }) => {
  const { site, stripe } = shop;
  await signUpAndIn(site, context);
  await page.goto(`${site.url}/plan-pricing`);
  await card(page, 'Starter').getByRole('link', { name: 'Unlock This Plan' }).click();
  await expect(pageHeading(page)).toHaveText('Checkout');
  const checkout = page.url();
  await press(page, 'Back');
  await expect(pageHeading(page)).toHaveText('Pricing');
  await card(page, 'Starter').getByRole('link', { name: 'Unlock This Plan' }).click();
  await expect(page).toHaveURL(checkout);
  expect(
    [...stripe.state.subscriptions.values()].filter(({ items }) => items.data[0]?.price.id.includes('starter')),
  ).toEqual([]);
});

test('while the payment provider is away the plans say so, and a link on another site opens nothing', async ({
  page,
  context,
  shop,
}) => {
  const { site, stripe } = shop;
  await signUpAndIn(site, context);
  await page.goto(`${site.url}/plan-pricing`);
  stripe.sufferAlways(429);
  await card(page, 'Starter').getByRole('link', { name: 'Unlock This Plan' }).click();
  await expect(page.getByRole('alert')).toContainText('The payment service does not respond');
  stripe.sufferAlways(null);

  const before = stripe.state.sessions.size;
  await page.route('https://elsewhere.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<a href="${site.url}${subscriptionPath}?plan=power_yearly">Free plan</a>`,
    }),
  );
  await page.goto('https://elsewhere.example/');
  await page.getByRole('link', { name: 'Free plan' }).click();
  await expect(page.getByRole('alert')).toContainText('Another site led you to a payment');
  expect(stripe.state.sessions.size).toBe(before);
});

test('a plan at another price than the page says is not sold', async ({ page, context, shop }) => {
  await using site = await startSite({
    ...shop.stripe.environment,
    STRIPE_PRICES: 'basic_monthly=price_basic_monthly,power_monthly=price_starter_monthly',
  });
  await signUpAndIn(site, context);
  // Prices are checked in the background after the start.
  await expect(async () => {
    await page.goto(`${site.url}/plan-pricing`);
    await expect(card(page, 'Power').getByRole('button', { name: 'Unavailable' })).toBeDisabled({ timeout: 1_000 });
  }).toPass();
  await expect(card(page, 'Basic').getByRole('link', { name: 'Unlock This Plan' })).toBeVisible();
});
