import { paymentEventsPath, subscriptionPath } from '@holdfast/contract/src/plans.ts';
import { subscribe } from '../harness/past-events.ts';
import { listenForStatuses, toast } from '../harness/screen.ts';
import { currentPlan, planCard, pressButton, test } from '../harness/shop.ts';
import { startSite } from '../harness/site.ts';
import { expect, signUpAndIn } from '../harness/test.ts';
import { choose, link, start } from '../harness/upload-queue.ts';

test('a granted plan cannot be switched, and a larger plan can be bought', async ({ page, context, shop }) => {
  const { site } = shop;
  const { email } = await signUpAndIn(site, context);
  site.putOnPlan(email, 'basic');
  await page.goto(`${site.url}/plan-pricing`);
  for (const name of ['Switch to Power', 'Switch to Starter']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(/\/plan-pricing\?problem=granted$/);
    await expect(page.getByRole('alert')).toContainText('The administrator gave you this plan');
  }
  await planCard(page, 'Power').getByRole('link', { name: 'Switch to Power' }).click();
  await expect(page.getByText('price_power_monthly')).toBeVisible();
  await pressButton(page, 'Pay and subscribe');
  await expect(currentPlan(page)).toContainText('$9.99 a month. Renews on');
  await expect(currentPlan(page)).toContainText('Power');
});

test('nobody on the largest plan is told to buy a larger one', async ({ page, context, shop: { site } }) => {
  const { email } = await signUpAndIn(site, context);
  site.putOnPlan(email, 'basic');
  await page.goto(`${site.url}/plan-pricing?problem=granted`);
  await expect(page.getByRole('alert')).toContainText('You can buy a larger plan below.');
  site.putOnPlan(email, 'power');
  await page.reload();
  await expect(planCard(page, 'Power')).toContainText('Manage Plan');
  await expect(page.getByRole('alert')).not.toContainText('larger plan');
});

test('a change in the portal is shown on return, even before its webhook event', async ({ page, context, shop }) => {
  const { site, stripe } = shop;
  await signUpAndIn(site, context);
  await page.goto(`${site.url}/plan-pricing`);
  await planCard(page, 'Power').getByRole('link', { name: 'Unlock This Plan' }).click();
  await pressButton(page, 'Pay and subscribe');
  await expect(currentPlan(page)).toContainText('$9.99 a month. Renews on');
  await stripe.delivered();
  stripe.deliverTo(null);
  // Backdates the last read of the subscription: no user finishes in the portal sooner than that.
  using database = site.openDatabase();
  database.exec('UPDATE subscriptions SET read_at = read_at - 3000');
  await currentPlan(page).getByRole('link', { name: 'Manage Plan' }).click();
  await pressButton(page, 'Switch to price_starter_monthly');
  await pressButton(page, 'Return');
  await expect(currentPlan(page)).toContainText('$0.99 a month. Renews on');
  await expect(currentPlan(page)).toContainText('Starter');
  await expect(currentPlan(page)).not.toContainText('gave you');
  stripe.deliverTo(site.url + paymentEventsPath);
});

test('Pricing explains each problem with a payment, and says after an abandoned checkout that nothing was paid', async ({
  page,
  context,
  shop: { site },
}) => {
  await signUpAndIn(site, context);
  for (const [problem, words] of [
    ['unknown-plan', 'names no plan that this site sells'],
    ['not-for-sale', 'That plan is not for sale here'],
    ['unavailable', 'You have paid nothing and your plan is as it was.'],
    ['busy', 'Continue there, or try again in a moment.'],
  ] as const) {
    await page.goto(`${site.url}/plan-pricing?problem=${problem}`);
    await expect(page.getByRole('main').getByRole('alert')).toContainText(words);
  }
  await page.goto(`${site.url}/plan-pricing?checkout=canceled`);
  await expect(toast(page, 'You left the checkout. You have paid nothing.')).toBeVisible();
  await expect(page.getByText('your plan is as it was')).toBeVisible();
});

test('an unavailable provider is reported, and a link on another site opens no checkout', async ({
  page,
  context,
  shop,
}) => {
  const { site, stripe } = shop;
  await signUpAndIn(site, context);
  await page.goto(`${site.url}/plan-pricing`);
  stripe.sufferAlways(429);
  await planCard(page, 'Starter').getByRole('link', { name: 'Unlock This Plan' }).click();
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

test('a plan whose price differs from the displayed price is not sold', async ({ page, context, shop }) => {
  await using site = await startSite({
    ...shop.stripe.environment,
    STRIPE_PRICES: 'basic_monthly=price_basic_monthly,power_monthly=price_starter_monthly',
  });
  await signUpAndIn(site, context);
  // Prices are checked in the background after the start.
  await expect(async () => {
    await page.goto(`${site.url}/plan-pricing`);
    await expect(planCard(page, 'Power').getByRole('button', { name: 'Unavailable' })).toBeDisabled({ timeout: 1_000 });
  }).toPass();
  await expect(planCard(page, 'Basic').getByRole('link', { name: 'Unlock This Plan' })).toBeVisible();
});

test('buying space keeps the files that failed for lack of it', async ({ page, context, shop: { site } }) => {
  const { email } = await signUpAndIn(site, context);
  site.fill(email, { bytes: 499_999_999, files: 1 });
  await page.goto(`${site.url}/dashboard`);
  await choose(page, 'a.txt');
  await expect(page.getByText('You have 1 B left.')).toBeVisible();
  await start(page).click();
  await expect(page.getByRole('button', { name: 'Retry a.txt' })).toBeVisible();
  await page.getByRole('link', { name: 'Plan Info' }).click();
  await currentPlan(page).getByRole('link', { name: 'Manage Plan' }).click();
  const opened = context.waitForEvent('page');
  await planCard(page, 'Power').getByRole('link', { name: 'Unlock This Plan' }).click();
  const checkout = await opened;
  await pressButton(checkout, 'Pay and subscribe');
  await expect(currentPlan(checkout)).toContainText('Power');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('button', { name: 'Retry a.txt' }).click();
  await expect(link(page, 'a.txt')).toBeVisible();
});

test('an unpaid subscription is no thanks for a payment', async ({ page, person, site }) => {
  subscribe(site, person, {
    level: 'Starter',
    period: 'monthly',
    status: 'past_due',
    period_ends: '2026-01-01T00:00:00Z',
    ends_with_period: false,
    grace_ends: '2026-01-08T00:00:00Z',
  });
  await page.clock.install();
  const polls = listenForStatuses(page, '**/get-subscription');
  await page.goto('/dashboard/plan-info?checkout=paid');
  await expect(currentPlan(page)).toContainText('Starter is not paid');
  // The plan, and twice the payment.
  await page.clock.runFor(2000);
  await expect.poll(() => polls).toEqual([200, 200, 200]);
  await expect(page.getByText('Waiting for the confirmation of your payment...')).toBeVisible();
});
