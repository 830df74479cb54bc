import type { Locator, Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

const usagePath = '/dashboard/usage';
const quotaTile = (page: Page, name: string): Locator =>
  page
    .getByRole('main')
    .locator('dl > div')
    .filter({ has: page.getByRole('term').getByText(name, { exact: true }) });

test('the page counts uploads, and says that files over the quota are kept', async ({ page, person, site }) => {
  await page.goto(usagePath);
  await expect(quotaTile(page, 'Space used')).toContainText('0.00 MB');
  await expect(quotaTile(page, 'Space used')).toContainText('of 500.00 MB');
  await expect(quotaTile(page, 'Quota used')).toContainText('0.0%');
  await expect(quotaTile(page, 'Files')).toContainText('of 500 slots');
  await expect(quotaTile(page, 'Slots used')).toContainText('0.0%');

  await uploadByKey(site, person, 'kelp.txt', new Uint8Array(250_000));
  await page.reload();
  await expect(quotaTile(page, 'Space used')).toContainText('0.25 MB');
  await expect(quotaTile(page, 'Quota used')).toContainText('0.1%');

  const note = page.getByText('Your files exceed your plan. They are all kept');
  for (const [usage, tile, percent] of [
    [{ bytes: 2_000_000_000, files: 20 }, 'Quota used', '400.0%'],
    [{ bytes: 0, files: 501 }, 'Slots used', '100.2%'],
  ] as const) {
    site.fill(person.email, usage);
    await page.reload();
    await expect(quotaTile(page, tile)).toContainText(percent);
    await expect(note).toBeVisible();
  }
});

test('Plan Info and Usage link to each other, and Usage to the plans', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/plan-info');
  await page.getByRole('link', { name: 'Usage in detail' }).press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/usage$/);
  await expect(pageHeading(page)).toHaveText('Usage');
  await expect(pageHeading(page)).toBeFocused();
  await page.getByRole('main').getByRole('link', { name: 'Plan Info' }).press('Enter');
  await expect(pageHeading(page)).toHaveText('Plan Info');
  await page.goBack();
  await page.getByRole('link', { name: 'Need more account space?' }).press('Enter');
  await expect(page).toHaveURL(/\/plan-pricing$/);
});
