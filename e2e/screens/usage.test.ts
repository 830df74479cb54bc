import type { Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

const path = '/dashboard/usage';
const tile = (page: Page, name: string) =>
  page
    .getByRole('main')
    .locator('dl > div')
    .filter({ has: page.getByRole('term').getByText(name, { exact: true }) });
const MB = 1_000_000;

test('an empty account has used nothing', async ({ page, person }) => {
  await page.goto(path);
  expect(person.email).toContain('@');
  await expect(tile(page, 'Space used')).toContainText('0.00 MB');
  await expect(tile(page, 'Space used')).toContainText('of 500.00 MB');
  await expect(tile(page, 'Quota used')).toContainText('0.0%');
  await expect(tile(page, 'Files')).toContainText('of 500 slots');
  await expect(tile(page, 'Slots used')).toContainText('0.0%');
});

test('Plan Info leads to it, and it back', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/plan-info');
  await page.getByRole('link', { name: 'Usage in detail' }).press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/usage$/);
  await expect(pageHeading(page)).toHaveText('Usage');
  await expect(pageHeading(page)).toBeFocused();
  await page.getByRole('main').getByRole('link', { name: 'Plan Info' }).press('Enter');
  await expect(pageHeading(page)).toHaveText('Plan Info');
});

test('space is in MB with two decimals, whatever its size', async ({ page, person, site }) => {
  site.putOnPlan(person.email, 'power');
  site.fill(person.email, { bytes: 12_345.678 * MB, files: 12_804 });
  await page.goto(path);
  await expect(tile(page, 'Space used')).toContainText('12,345.68 MB');
  await expect(tile(page, 'Space used')).toContainText('of 25,000.00 MB');
  await expect(tile(page, 'Quota used')).toContainText('49.4%');
  await expect(tile(page, 'Files')).toContainText('12,804');
  await expect(tile(page, 'Slots used')).toContainText('12.8%');
});

test('an upload is counted', async ({ page, person, site }) => {
  await uploadByKey(site, person, 'kelp.txt', new Uint8Array(250_000));
  await page.goto(path);
  await expect(tile(page, 'Space used')).toContainText('0.25 MB');
  await expect(tile(page, 'Quota used')).toContainText('0.1%');
});

test('more than the plan has is said, with what becomes of the files', async ({ page, person, site }) => {
  site.fill(person.email, { bytes: 2000 * MB, files: 20 });
  await page.goto(path);
  await expect(tile(page, 'Quota used')).toContainText('400.0%');
  await expect(page.getByText('Your files exceed your plan. They are all kept')).toBeVisible();
});

test('more files than the plan has slots is more than it has, too', async ({ page, person, site }) => {
  site.fill(person.email, { bytes: 20, files: 501 });
  await page.goto(path);
  await expect(page.getByText('Your files exceed your plan. They are all kept')).toBeVisible();
});

test("'Need more account space?' leads to the plans", async ({ signedInPage: page }) => {
  await page.goto(path);
  const more = page.getByRole('link', { name: 'Need more account space?' });
  await expect(more).toHaveAttribute('href', '/plan-pricing');
  await more.press('Enter');
  await expect(page).toHaveURL(/\/plan-pricing$/);
  await expect(pageHeading(page)).toBeVisible();
});

test('a plan of nothing divides by nothing', async ({ signedInPage: page }) => {
  await page.route('**/get-account-info', async (route) => {
    const answer = await (await route.fetch()).text();
    await route.fulfill({ body: answer.replace(/"(space|slots)_quota":\d+/g, '"$1_quota":0') });
  });
  await page.goto(path);
  await expect(tile(page, 'Quota used')).toContainText('0.0%');
  await expect(tile(page, 'Space used')).toContainText('of 0.00 MB');
});
