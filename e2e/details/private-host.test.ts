import type { Page } from '@playwright/test';
import { pages } from '@holdfast/contract/src/pages.ts';
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

test('no page speaks of paid plans or makes the claims of the public service', async ({ page }) => {
  test.slow();
  for (const path of [...pages].filter((each) => !each.startsWith('/dashboard') && each !== '/plan-pricing')) {
    await page.goto(path);
    await expect(pageHeading(page)).toBeVisible();
    if (path === '/faqs') await openAnswers(page);
    expect((await wordsOf(page)).match(foreign), path).toBeNull();
    await expect(page.locator('a[href*="plan-pricing"]'), path).toHaveCount(0);
  }
  expect((await page.goto('/plan-pricing'))?.status()).toBe(404);
});

test('Plan Info shows the limits of the account, and an old link to a payment says that nothing is for sale', async ({
  page,
  person,
  site,
}) => {
  for (const level of ['house', 'free', 'basic'] as const) {
    site.putOnPlan(person.email, level);
    await page.goto('/dashboard/plan-info');
    await expect(page.getByText('The administrator sets the limits of your account')).toBeVisible();
    await expect(page.getByText(level === 'house' ? 'Unlimited' : 'Max file size').first()).toBeVisible();
    await expect(page.getByText('Manage Plan')).toHaveCount(0);
  }
  await page.goto('/api/stripe/subscription?plan=power_monthly');
  await expect(page).toHaveURL(/\/dashboard\/plan-info\?problem=not-for-sale$/);
  await expect(page.getByRole('alert')).toContainText('Nothing is for sale here');
});
