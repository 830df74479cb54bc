import { type PlanLevel, standardPlans } from '@holdfast/contract/src/plans.ts';
import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from '../harness/axe.ts';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import { toast } from '../harness/screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, test as base } from '../harness/test.ts';

/** A site that sells only some plans, and whose payment provider does not respond. */
const test = base.extend({
  site: async ({ keeper }, use) =>
    use(
      await keeper.run('site', async (own) =>
        own.use(
          await startSite({
            STRIPE_SECRET_KEY: 'sk_test_kelp',
            STRIPE_WEBHOOK_SECRET: 'whsec_kelp',
            STRIPE_PRICES: 'basic_monthly=price_1,basic_yearly=price_2,power_yearly=price_3',
            STRIPE_API_URL: `http://127.0.0.1:${await freePort()}`,
          }),
        ),
      ),
    ),
});

const path = '/plan-pricing';
const card = (page: Page, level: PlanLevel) =>
  page
    .getByRole('list', { name: 'Plans' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: standardPlans[level].name }) });
const link = (page: Page, level: PlanLevel) => card(page, level).getByRole('link');
const why = (page: Page) => page.getByRole('main').getByRole('alert');

test('if the payment provider does not respond, an error says that nothing was paid', async ({ page, person }) => {
  expect(person.email).toContain('@');
  await page.goto(path);
  await link(page, 'basic').press('Enter');
  await expect(page).toHaveURL(/\/plan-pricing\?problem=unavailable$/, { timeout: 30_000 });
  await expect(why(page)).toContainText('The payment service does not respond');
  await expect(why(page)).toContainText('You have paid nothing and your plan is as it was.');
  await expect(link(page, 'basic')).toBeVisible();
  await expectNoAxeFindings(page);
});

test('each problem with a payment is explained in an error message', async ({ page }) => {
  for (const [problem, words] of [
    ['unknown-plan', 'names no plan that this site sells'],
    ['not-for-sale', 'That plan is not for sale here'],
    ['unavailable', 'Try again in a few minutes.'],
    ['busy', 'Continue there, or try again in a moment.'],
    ['granted', 'Your plan came from the operator of this site'],
    ['other-site', 'If you meant to choose a plan, press its button below.'],
  ] as const) {
    await page.goto(`${path}?problem=${problem}`);
    await expect(why(page)).toContainText(words);
  }
  await expectNoAxeFindings(page);
});

test('after leaving the checkout a note says that nothing was paid', async ({ page, person }) => {
  expect(person.email).toContain('@');
  await page.goto(`${path}?checkout=canceled`);
  await expect(toast(page, 'You left the checkout. You have paid nothing.')).toBeVisible();
  await expect(page.getByText('your plan is as it was')).toBeVisible();
  await expect(link(page, 'basic')).toHaveText(/^Unlock This Plan/);
  await expectNoAxeFindings(page);
});
