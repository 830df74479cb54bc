import { billingPeriods, paidLevels, type PlanLevel, standardPlans } from '@holdfast/contract/src/plans.ts';
import type { Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { signIn } from '../harness/sign-in.ts';
import { test } from '../harness/stranger.ts';
import { expect } from '../harness/test.ts';

const path = '/plan-pricing';
const paid = paidLevels;
const everything = paid.flatMap((level) => billingPeriods.map((period) => `${level}_${period}`));
const card = (page: Page, level: PlanLevel) =>
  page
    .getByRole('list', { name: 'Plans' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: standardPlans[level].name }) });
const link = (page: Page, level: PlanLevel) => card(page, level).getByRole('link');
const choose = (page: Page, period: 'Monthly' | 'Yearly') => page.getByRole('radio', { name: period }).check();

/** Opens the page with an offer for every plan, as if payments were set up. There is no payment provider behind it. */
async function openShop(page: Page): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace('"offers":[]', `"offers":${JSON.stringify(everything)}`);
    await route.fulfill({ response: answer, body });
  });
  await page.goto(path);
  await expect(pageHeading(page)).toHaveText('Pricing');
}

test('each plan has a card with its price, its speed and its limits, and Yearly shows the saving', async ({ page }) => {
  await page.goto(path);
  await expect(page.getByRole('radio', { name: 'Monthly' })).toBeChecked();
  for (const [level, texts] of [
    ['free', ['$0', '4 Mbps (500 KB/s)', 'Base', '100 MB', '500 MB', '500', '48 types']],
    ['starter', ['$0.99', '20 Mbps (2.5 MB/s)', '+10%', '100 MB', '500 MB', '1,000', 'Any']],
    ['basic', ['$2.99', '100 Mbps (12.5 MB/s)', '+20%', '400 MB', '2 GB', '5,000', 'Any']],
    ['advanced', ['$4.99', '250 Mbps (31.25 MB/s)', '+50%', '2 GB', '10 GB', '20,000', 'Any']],
    ['power', ['$9.99', 'Unlimited', '+80%', '5 GB', '25 GB', '100,000', 'Any']],
  ] as const) {
    const [price, ...facts] = texts;
    await expect(card(page, level)).toContainText(`${price}${level === 'free' ? 'forever' : 'a month'}`);
    await expect(card(page, level).getByRole('definition')).toHaveText([...facts]);
  }
  const types = page.getByRole('region', { name: 'The 48 file types that Free accepts' });
  await expect(types).toContainText('mcpack mcaddon mcmeta');

  await expect(page.getByText(/^save /)).toHaveCount(0);
  await choose(page, 'Yearly');
  await expect(page.getByText(/^save /)).toHaveText(['save 16%', 'save 16%', 'save 17%', 'save 17%']);
  await expect(card(page, 'power')).toContainText('$99.99a year');
  await expect(card(page, 'free')).not.toContainText('save');
});

test(
  'a visitor signs in and returns to the plans, which are unavailable without payments set up',
  { tag: '@detail' },
  async ({ page, stranger }) => {
    await page.goto(path);
    for (const level of paid) await expect(link(page, level)).toHaveText(/^Sign in to continue/);
    await expect(card(page, 'free').getByRole('link')).toHaveCount(0);
    await expect(page.getByText('Current plan')).toBeHidden();
    await expect(page.getByRole('main')).toContainText('This site takes no payments.');
    await expect(page.getByText('Recommended')).toBeHidden();
    await link(page, 'basic').click();
    await expect(page).toHaveURL(/\/sign-in$/);
    await signIn(page, stranger);
    await expect(page).toHaveURL(/\/plan-pricing$/);
    await expect(card(page, 'free')).toContainText('Current plan');
    for (const each of paid) {
      await expect(card(page, each).getByRole('button', { name: 'Unavailable' })).toBeDisabled();
      await expect(link(page, each)).toHaveCount(0);
    }
    await expect(card(page, 'free').getByRole('button')).toHaveCount(0);
  },
);

test('on Free each plan has a checkout link; on a paid plan the cards manage it and switch to others', async ({
  page,
  person,
  site,
}) => {
  await openShop(page);
  await expect(page.getByRole('main')).not.toContainText('This site takes no payments.');
  await expect(card(page, 'free')).toContainText('Current plan');
  await expect(page.getByText('Recommended')).toHaveCount(1);
  await expect(card(page, 'basic')).toContainText('Recommended');
  await expect(card(page, 'free').getByRole('link')).toHaveCount(0);
  for (const [choice, period] of [
    ['Monthly', 'monthly'],
    ['Yearly', 'yearly'],
  ] as const) {
    await choose(page, choice);
    for (const level of paid) {
      await expect(link(page, level)).toHaveText(/^Unlock This Plan/);
      await expect(link(page, level)).toHaveAttribute(
        'href',
        new RegExp(`^/api/stripe/subscription\\?plan=${level}_${period}&account=.+`),
      );
    }
  }

  site.putOnPlan(person.email, 'basic');
  await openShop(page);
  await expect(page.getByText('Current plan')).toHaveCount(1);
  await expect(page.getByText('Recommended')).toBeHidden();
  await expect(card(page, 'basic')).toContainText('Current plan');
  await expect(card(page, 'basic')).toHaveAttribute('aria-current', 'true');
  await expect(link(page, 'basic')).toHaveText(/^Manage Plan/);
  for (const level of ['starter', 'advanced', 'power'] as const)
    await expect(link(page, level)).toHaveText(`Switch to ${standardPlans[level].name}`);
  for (const level of paid)
    await expect(link(page, level)).toHaveAttribute('href', /^\/api\/stripe\/subscription\?account=.+/);
  await expect(card(page, 'free').getByRole('link')).toHaveCount(0);
});
