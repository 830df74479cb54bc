import type { Page } from '@playwright/test';
import { pages } from '@holdfast/contract/src/pages.ts';
import { expectNoAxeFindings } from '../harness/axe.ts';
import { pageHeading } from '../harness/screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, test as base } from '../harness/test.ts';

/** A site of a club: nothing is for sale, and everybody on it has no limits. */
const test = base.extend({
  site: async ({ keeper }, use) =>
    use(
      await keeper.run('site', async (own) =>
        own.use(await startSite({ PRICING: 'off', SITE_NAME: 'Portree Sailing', DEFAULT_PLAN: 'house' })),
      ),
    ),
});

/** Words about paid plans, and claims of the public service. */
const foreign =
  /\b(free|paid|pay|payment|price|pricing|premium|subscription|refund|larger plan|for sale|2015|2021|million|around the world)\b/i;

/** The words on the page, without the plan in a sample of the API docs. */
const wordsOf = async (page: Page) => (await page.locator('body').innerText()).replaceAll('"level": "Free"', '');

const openAnswers = (page: Page) => page.getByRole('button', { name: 'Open all answers' }).click();

test('the home page says what the site is for, and leads to uploading', async ({ page }) => {
  await page.goto('/');
  await expect(pageHeading(page)).toHaveText('Files and links for Portree Sailing');
  const main = page.getByRole('main');
  await expect(main).toContainText('Upload a file, get one public link, and keep it, with no compression');
  await expect(main).toContainText('Portree Sailing keeps each file under one link');
  await expect(main.getByRole('region', { name: 'Pricing' })).toHaveCount(0);
  await expectNoAxeFindings(page);
  await main.getByRole('link', { name: 'Upload Files' }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
});

for (const path of [...pages].filter((each) => !each.startsWith('/dashboard') && each !== '/plan-pricing'))
  test(`${path} neither speaks of paid plans nor makes the claims of the public service`, async ({ page }) => {
    await page.goto(path);
    await expect(pageHeading(page)).toBeVisible();
    if (path === '/faqs') await openAnswers(page);
    expect((await wordsOf(page)).match(foreign)).toBeNull();
    await expect(page.locator('a[href*="plan-pricing"]')).toHaveCount(0);
  });

test('the pricing page does not exist', async ({ page }) => {
  expect((await page.goto('/plan-pricing'))?.status()).toBe(404);
  await expect(pageHeading(page)).toHaveText("Whoops, there's nothing here...");
});

test('the FAQs state the limits of a new account', async ({ page }) => {
  await page.goto('/faqs');
  await openAnswers(page);
  const limits = page.locator('#limits');
  await expect(limits.getByRole('row')).toHaveText([/^Plan/, /^HouseUnlimitedUnlimitedUnlimitedUnlimited$/]);
  await expect(page.locator('#formats')).toContainText('Any.');
  await expect(page.locator('#speed')).toContainText('files of a new account have no limit of speed');
  for (const id of ['plans', 'downgrade', 'failed-payment', 'refunds', 'api-cost'])
    await expect(page.locator(`#${id}`)).toHaveCount(0);
});

test('the terms have no section about payments', async ({ page }) => {
  await page.goto('/terms-of-service');
  await expect(page.getByRole('region', { name: 'Limits', exact: true })).toContainText('Plan Info page shows them');
  await expect(page.getByRole('region', { name: 'Payments' })).toHaveCount(0);
});

test('the speed test measures one tier', async ({ page }) => {
  await page.goto('/speed-test');
  await expect(page.getByRole('button', { name: /^Measure/ })).toHaveText(['Measure House']);
  await expect(page.getByText('Press Measure to begin.')).toBeVisible();
});

test('Plan Info shows the limits of the account, and offers nothing', async ({ page, person, site }) => {
  for (const level of ['house', 'free', 'basic'] as const) {
    site.putOnPlan(person.email, level);
    await page.goto('/dashboard/plan-info');
    await expect(page.getByText('The operator of this site sets the limits of your account')).toBeVisible();
    await expect(page.getByText(level === 'house' ? 'Unlimited' : 'Max file size').first()).toBeVisible();
    await expect(page.getByText('Manage Plan')).toHaveCount(0);
  }
  await expectNoAxeFindings(page);
});

test('a full account is told to ask the operator', async ({ page, person, site }) => {
  site.putOnPlan(person.email, 'free');
  site.fill(person.email, { bytes: 600_000_000, files: 3 });
  for (const path of ['/dashboard/usage', '/dashboard/plan-info']) {
    await page.goto(path);
    await expect(page.getByText('Your files exceed your limits.')).toBeVisible();
    await expect(page.getByText('or ask the operator of this site for more space.')).toBeVisible();
    await expect(page.locator('a[href*="plan-pricing"]')).toHaveCount(0);
  }
});

test('an old link to a payment says that nothing is for sale', async ({ page, person }) => {
  expect(person.email).not.toBe('');
  await page.goto('/api/stripe/subscription?plan=power_monthly');
  await expect(page).toHaveURL(/\/dashboard\/plan-info\?problem=not-for-sale$/);
  await expect(page.getByRole('alert')).toContainText('Nothing is for sale here');
  await expectNoAxeFindings(page);
});
