import type { Subscription } from '@holdfast/contract/src/account.ts';
import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from '../harness/axe.ts';
import { subscribe } from '../harness/past-events.ts';
import { listenForStatuses, toast } from '../harness/screen.ts';
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

for (const { what, subscription, texts } of [
  {
    what: 'a yearly subscription shows its price and its renewal date',
    subscription: { ...active, period: 'yearly', level: 'Power' },
    texts: [`$99.99 a year. Renews on ${dayOf(active.period_ends)}.`],
  },
  {
    what: 'a canceled subscription shows its end date and the limits after that',
    subscription: { ...active, ends_with_period: true },
    texts: [
      `$2.99 a month. Ends on ${dayOf(active.period_ends)}.`,
      'after that you have the limits of Free. Your files are kept.',
    ],
  },
  {
    what: 'a failed payment shows until when the plan is kept',
    subscription: { ...active, status: 'past_due', grace_ends: inDays(3) },
    texts: [
      'The last payment for Basic failed',
      `You keep the plan until the end of ${dayOf(inDays(2))}`,
      'If it still fails, you have the limits of Free. Your files stay.',
    ],
  },
] satisfies readonly { what: string; subscription: Subscription; texts: readonly string[] }[])
  test(what, async ({ page, person, site }) => {
    subscribe(site, person, subscription);
    await page.goto(path);
    for (const text of texts) await expect(plan(page)).toContainText(text);
    await expect(manage(page)).toHaveAttribute('href', /^\/api\/stripe\/subscription\?account=.+/);
    await expectNoAxeFindings(page);
  });

test('after the grace period the account is on Free and can still pay', async ({ page, person, site }) => {
  const grace_ends = inDays(-1);
  subscribe(site, person, { ...active, status: 'past_due', grace_ends });
  site.putOnPlan(person.email, 'free');
  site.fill(person.email, { bytes: 2_000_000_000, files: 20 });
  await page.goto(path);
  await expect(plan(page)).toContainText('Basic is not paid');
  await expect(plan(page)).toContainText(`the last day to pay was ${dayOf(inDays(-2))}`);
  await expect(manage(page)).toHaveAttribute('href', /^\/api\/stripe\/subscription\?account=.+/);
  await expect(page.getByText('You are 1.50 GB over your limit.')).toBeVisible();
  await expectNoAxeFindings(page);
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
