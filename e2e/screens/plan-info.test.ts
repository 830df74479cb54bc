import type { Page } from '@playwright/test';
import { expect, test } from '../harness/test.ts';

const path = '/dashboard/plan-info';
const manage = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Manage Plan' });
const limit = (page: Page, name: string) =>
  page.getByRole('main').locator('dl > div').filter({ hasText: name }).getByRole('definition');
const used = (page: Page, name: string) => page.getByRole('progressbar', { name: `${name} used` });
const usage = (page: Page) => page.getByRole('region', { name: 'Usage' });
const noRoom = (page: Page) => page.getByText('Your files exceed your plan.');

const MB = 1_000_000;
const limitNames = ['Account space', 'File slots', 'Max file size', 'Max download speed'] as const;

for (const { level, name, limits } of [
  { level: 'free', name: 'Free', limits: ['500.00 MB', '500', '100.00 MB', '4 Mbps'] },
  { level: 'starter', name: 'Starter', limits: ['500.00 MB', '1,000', '100.00 MB', '20 Mbps'] },
  { level: 'basic', name: 'Basic', limits: ['2.00 GB', '5,000', '400.00 MB', '100 Mbps'] },
  { level: 'advanced', name: 'Advanced', limits: ['10.00 GB', '20,000', '2.00 GB', '250 Mbps'] },
  { level: 'power', name: 'Power', limits: ['25.00 GB', '100,000', '5.00 GB', 'Unlimited'] },
] as const) {
  test(`on ${name} it names the plan and its limits`, async ({ page, person, site }) => {
    site.putOnPlan(person.email, level);
    await page.goto(path);
    await expect(page.getByText('Current plan')).toBeVisible();
    await expect(page.getByText(name, { exact: true })).toBeVisible();
    for (const [index, each] of limitNames.entries()) await expect(limit(page, each)).toHaveText(limits[index] ?? '');
    await expect(manage(page)).toHaveAttribute('href', level === 'free' ? '/plan-pricing' : '/api/stripe/subscription');
  });
}

test('an empty account has used nothing', async ({ page, person }) => {
  await page.goto(path);
  expect(person.email).toContain('@');
  await expect(usage(page)).toContainText('Space 0.0%');
  await expect(usage(page)).toContainText('0.00 B of 500.00 MB');
  await expect(usage(page)).toContainText('Slots 0.0%');
  await expect(usage(page)).toContainText('0 of 500');
  await expect(used(page, 'Space')).toHaveAttribute('value', '0');
  await expect(noRoom(page)).toBeHidden();
});

test('usage is shown beside the limits', async ({ page, person, site }) => {
  site.fill(person.email, { bytes: 144.02 * MB, files: 61 });
  await page.goto(path);
  await expect(usage(page)).toContainText('Space 28.8%');
  await expect(usage(page)).toContainText('144.02 MB of 500.00 MB');
  await expect(usage(page)).toContainText('Slots 12.2%');
  await expect(usage(page)).toContainText('61 of 500');
  await expect(used(page, 'Space')).toHaveAttribute('value', '28.8');
  await expect(used(page, 'Slots')).toHaveAttribute('value', '12.2');
});

test('a full account is full, and not over', async ({ page, person, site }) => {
  site.fill(person.email, { bytes: 500 * MB, files: 500 });
  await page.goto(path);
  await expect(usage(page)).toContainText('Space 100.0%');
  await expect(noRoom(page)).toBeHidden();
});

test('after a change to a smaller plan it says that files are kept and uploads refused', async ({
  page,
  person,
  site,
}) => {
  site.fill(person.email, { bytes: 2000 * MB, files: 20 });
  await page.goto(path);
  await expect(usage(page)).toContainText('Space 400.0%');
  await expect(used(page, 'Space')).toHaveAttribute('value', '100');
  await expect(noRoom(page)).toContainText('They are all kept, but you cannot upload');
});

test('a plan of nothing divides by nothing', async ({ signedInPage: page }) => {
  await page.route('**/get-account-info', async (route) => {
    const answer = await (await route.fetch()).text();
    await route.fulfill({ body: answer.replace(/"(space|slots)_quota":\d+/g, '"$1_quota":0') });
  });
  await page.goto(path);
  await expect(usage(page)).toContainText('Space 0.0%');
  await expect(usage(page)).toContainText('of 0.00 B');
  await expect(limit(page, 'Account space')).toHaveText('0.00 B');
});

test('a speed that is missing reads 0 Mbps', async ({ signedInPage: page }) => {
  await page.route('**/get-account-info', async (route) => {
    const answer = await (await route.fetch()).text();
    await route.fulfill({ body: answer.replace(/"max_file_download_speed":\d+/, '"max_file_download_speed":0') });
  });
  await page.goto(path);
  await expect(limit(page, 'Max download speed')).toHaveText('0 Mbps');
});
