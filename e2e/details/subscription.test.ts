import type { Subscription } from '@holdfast/contract/src/account.ts';
import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from '../harness/axe.ts';
import { holdBack } from '../harness/hold-back.ts';
import { outlastRetries } from '../harness/outlast-retries.ts';
import { grant, subscribe } from '../harness/past-events.ts';
import { errorBox, listenForStatuses, pageHeading, toast } from '../harness/screen.ts';
import { passTimeUntil, soon, stopClock } from '../harness/stop-clock.ts';
import { expect, test } from '../harness/test.ts';

test.use({ timezoneId: 'UTC' });

const path = '/dashboard/plan-info';
const call = '**/api/v3/session/get-subscription';
const plan = (page: Page) => page.getByRole('region', { name: 'Current plan' });
const manage = (page: Page) => plan(page).getByRole('link', { name: 'Manage Plan' });
const payment = (page: Page) => page.getByRole('region', { name: 'Your payment' });
/** Waits for the thanks, which are shown for two seconds, while the clock is stopped. */
const isThanked = (page: Page) =>
  passTimeUntil(page, 500, () => expect(toast(page, 'Thank you! You are on Basic now.')).toBeVisible(soon));

const inDays = (count: number) => new Date(Date.now() + count * 24 * 3_600_000).toISOString();
const dayOf = (moment: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(moment));

const active: Subscription = {
  level: 'Basic',
  period: 'monthly',
  status: 'active',
  period_ends: inDays(20),
  ends_with_period: false,
  grace_ends: null,
};

test('if no plans are sold, a Free account is referred to the administrator', async ({ page, person }) => {
  expect(person.email).toContain('@');
  await page.goto(path);
  await expect(plan(page)).toContainText('Free');
  await expect(plan(page)).toContainText('You are on the free plan. Ask the administrator for');
  await expect(manage(page)).toHaveAttribute('href', '/plan-pricing');
  await expectNoAxeFindings(page);
});

test('a granted plan is shown as a plan without a subscription', async ({ page, person, site }) => {
  site.putOnPlan(person.email, 'advanced');
  await page.goto(path);
  await expect(plan(page)).toContainText('Advanced');
  await expect(plan(page)).toContainText('You have no subscription and pay nothing.');
  await expectNoAxeFindings(page);
});

for (const { period, level, price } of [
  { period: 'monthly', level: 'Basic', price: '$2.99 a month.' },
  { period: 'yearly', level: 'Power', price: '$99.99 a year.' },
] as const) {
  test(`a ${period} subscription shows its price and its renewal date`, async ({ page, person, site }) => {
    subscribe(site, person, { ...active, period, level });
    await page.goto(path);
    await expect(plan(page)).toContainText(`${price} Renews on ${dayOf(active.period_ends)}.`);
    await expect(manage(page)).toHaveAttribute('href', '/api/stripe/subscription');
    await expectNoAxeFindings(page);
  });
}

test('a canceled subscription shows its end date and the limits after that', async ({ page, person, site }) => {
  subscribe(site, person, { ...active, ends_with_period: true });
  await page.goto(path);
  await expect(plan(page)).toContainText(`$2.99 a month. Ends on ${dayOf(active.period_ends)}.`);
  await expect(plan(page)).toContainText('after that you have the limits of Free. Your files are kept.');
  await expect(plan(page)).not.toContainText('Renews');
  await expectNoAxeFindings(page);
});

test('a failed payment shows until when the plan is kept', async ({ page, person, site }) => {
  const grace_ends = inDays(3);
  subscribe(site, person, { ...active, status: 'past_due', grace_ends });
  await page.goto(path);
  await expect(plan(page)).toContainText('The last payment for Basic failed');
  await expect(plan(page)).toContainText(`You keep the plan until ${dayOf(grace_ends)}`);
  await expect(plan(page)).toContainText(
    'If it does not succeed by then, you have the limits of Free. Your files stay.',
  );
  await expect(manage(page)).toHaveAttribute('href', '/api/stripe/subscription');
  await expectNoAxeFindings(page);
});

test('after the grace period the account is on Free and can still pay', async ({ page, person, site }) => {
  const grace_ends = inDays(-1);
  subscribe(site, person, { ...active, status: 'past_due', grace_ends });
  site.putOnPlan(person.email, 'free');
  site.fill(person.email, { bytes: 2_000_000_000, files: 20 });
  await page.goto(path);
  await expect(plan(page)).toContainText('Basic is not paid');
  await expect(plan(page)).toContainText(`the time to pay ended on ${dayOf(grace_ends)}`);
  await expect(manage(page)).toHaveAttribute('href', '/api/stripe/subscription');
  await expect(page.getByText('You are 1.50 GB over your limit.')).toBeVisible();
  await expectNoAxeFindings(page);
});

test('a plan without a later payment is shown as ended, not as a failed payment', async ({ page, person, site }) => {
  const period_ends = inDays(-30);
  subscribe(site, person, { ...active, status: 'past_due', period_ends });
  site.putOnPlan(person.email, 'free');
  await page.goto(path);
  await expect(plan(page)).toContainText(`Your paid plan ended on ${dayOf(period_ends)}, and no later payment`);
  await expect(plan(page)).not.toContainText('failed');
});

test('a plan above the paid plan is shown as granted by the operator', async ({ page, person, site }) => {
  subscribe(site, person, active);
  grant(site, person, 'power');
  await page.goto(path);
  await expect(plan(page)).toContainText('That is for Basic, which you pay for.');
  await expect(plan(page)).toContainText('The operator of this site gave you Power, which stays.');
  await expect(plan(page)).not.toContainText('Free');
});

test('an ended grace period mentions no other limits while the plan is still active', async ({
  page,
  person,
  site,
}) => {
  const grace_ends = inDays(-1);
  // Occurs when the payment provider does not respond, or the operator granted the same plan.
  subscribe(site, person, { ...active, status: 'past_due', grace_ends });
  await page.goto(path);
  await expect(plan(page)).toContainText(`the time to pay ended on ${dayOf(grace_ends)}. Your files stay.`);
  await expect(plan(page)).not.toContainText('limits');
});

test('a subscription at an unknown price is not shown as the free plan', async ({ page, person, site }) => {
  subscribe(site, person, { ...active, level: null, period: null });
  await page.goto(path);
  await expect(plan(page)).toContainText('Your subscription does not match a plan');
  await expect(plan(page)).toContainText('so it does not change your limits');
  await expect(plan(page)).not.toContainText('You are on the free plan');
  await expect(manage(page)).toHaveAttribute('href', '/api/stripe/subscription');
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expectNoAxeFindings(page);
  }
});

test('a plan that ends while a page is open is not shown as granted', async ({ page, person, site }) => {
  subscribe(site, person, active);
  await page.goto('/dashboard');
  await expect(page.getByText('400.00 MB')).toBeVisible();
  site.putOnPlan(person.email, 'free');
  using database = site.openDatabase();
  database.exec("UPDATE subscriptions SET status = 'ended'");
  await page.getByRole('link', { name: 'Plan Info' }).press('Enter');
  await expect(plan(page)).toContainText('You are on the free plan.');
  await expect(plan(page)).toContainText('Free');
  await expect(plan(page)).not.toContainText('gave you');
});

test('the excess over the quota is shown with links to File Management and Pricing', async ({ page, person, site }) => {
  site.fill(person.email, { bytes: 500_500_000, files: 503 });
  await page.goto(path);
  await expect(page.getByText('You are 500.00 KB and 3 files over your limit.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Pricing' })).toHaveAttribute('href', '/plan-pricing');
  await page.getByRole('main').getByRole('link', { name: 'File Management' }).press('Enter');
  await expect(page).toHaveURL(/file-management\?column=size$/);
  await page.goBack();
  await expectNoAxeFindings(page);
});

test('the rest of the page is shown while the subscription is loading', async ({ page, person, site }) => {
  subscribe(site, person, active);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const held = await holdBack(page, call);
  await page.goto(path);
  await expect(page.getByText('Loading your subscription...')).toBeAttached();
  await expect(plan(page)).toContainText('Basic');
  await expect(page.getByText('Account space')).toBeVisible();
  await expectNoAxeFindings(page);
  held.letGo();
  await expect(plan(page)).toContainText('Renews on');
});

test('a connection error is shown, and Try again loads the subscription', async ({ page, person, site }) => {
  subscribe(site, person, active);
  await page.clock.install();
  await page.route(call, (route) => route.abort());
  await outlastRetries(page, call, () => page.goto(path));
  await expect(errorBox(page)).toContainText('Your subscription could not be loaded');
  await expectNoAxeFindings(page);
  await page.unroute(call);
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(plan(page)).toContainText('Renews on');
  await expect(errorBox(page)).toBeHidden();
  await expect(plan(page)).toBeFocused();
});

test('the return from the checkout waits until the plan is active, then thanks the buyer', async ({
  page,
  person,
  site,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const asked = page.waitForResponse(call);
  await page.goto(`${path}?checkout=paid`);
  await asked;
  await expect(payment(page)).toContainText('Waiting for the confirmation of your payment...');
  // The address alone proves no payment: anyone can open it.
  await expect(payment(page)).not.toContainText('through');
  await expect(plan(page)).toContainText('Free');
  await expectNoAxeFindings(page);
  await stopClock(page);
  subscribe(site, person, active);
  await isThanked(page);
  await page.clock.resume();
  await expect(plan(page)).toContainText('Renews on');
  await expect(plan(page)).toContainText('Basic');
  await expect(payment(page)).toBeHidden();
  await expect(page).toHaveURL(/\/plan-info$/);
});

test('a plan that is not active after a minute is reported, and Check again finds it later', async ({
  page,
  person,
  site,
}) => {
  await page.clock.install();
  const answers = listenForStatuses(page, call);
  await page.goto(`${path}?checkout=paid`);
  await expect(payment(page)).toContainText('Waiting for the confirmation of your payment...');
  // One for the plan that is shown, and thirty for the payment.
  while (answers.length < 31) {
    const before = answers.length;
    await page.clock.runFor(2000);
    await expect.poll(() => answers.length, { intervals: [10] }).toBeGreaterThan(before);
  }
  await expect(payment(page)).toContainText('Your plan is not active yet');
  await expect(payment(page)).toContainText('If you have paid, the confirmation is taking longer than usual.');
  await expect(payment(page)).toContainText('Do not pay again');
  await expectNoAxeFindings(page);
  subscribe(site, person, active);
  await stopClock(page);
  await page.getByRole('button', { name: 'Check again' }).press('Enter');
  await isThanked(page);
  await page.clock.resume();
  await expect(plan(page)).toContainText('Renews on');
});

test('a return from the checkout without a connection shows an error', async ({ page, person, site }) => {
  subscribe(site, person, active);
  await page.clock.install();
  await page.route(call, (route) => route.abort());
  await outlastRetries(page, call, () => page.goto(`${path}?checkout=paid`));
  await expect(payment(page)).toContainText('Your plan could not be checked');
  await page.unroute(call);
  await stopClock(page);
  await payment(page).getByRole('button', { name: 'Try again' }).press('Enter');
  await isThanked(page);
});

test('an unknown checkout parameter is ignored', async ({ page, person }) => {
  expect(person.email).toContain('@');
  await page.goto(`${path}?checkout=kelp`);
  await expect(pageHeading(page)).toHaveText('Plan Info');
  await expect(plan(page)).toContainText('You are on the free plan.');
  await expect(payment(page)).toBeHidden();
});
