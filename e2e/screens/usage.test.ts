import type { Locator, Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

const usagePath = '/dashboard/usage';
const meter = (page: Page, name: string): Locator =>
  page
    .getByRole('main')
    .locator('dl > div')
    .filter({ has: page.getByRole('term').getByText(name, { exact: true }) });
const bar = (page: Page, name: string): Locator =>
  page.getByRole('progressbar', { name: `${name}, part of the quota` });

test('two meters count uploads, space in MB and GB, and files over the quota are kept', async ({
  page,
  person,
  site,
}) => {
  await page.goto(usagePath);
  await expect(meter(page, 'Space used')).toHaveText('Space used0.00 MBof 500.00 MB0.0% of quota used500.00 MB left');
  await expect(meter(page, 'Files')).toHaveText('Files0of 500 slots0.0% of quota used500 left');

  await uploadByKey(site, person, 'kelp.txt', new Uint8Array(250_000));
  await page.reload();
  await expect(meter(page, 'Space used')).toContainText('0.25 MBof 500.00 MB0.1%');

  const note = page.getByText('Your files exceed your plan. They are all kept');
  for (const [usage, name, percent] of [
    [{ bytes: 2_000_000_000, files: 20 }, 'Space used', '400.0%'],
    [{ bytes: 0, files: 501 }, 'Files', '100.2%'],
  ] as const) {
    site.fill(person.email, usage);
    await page.reload();
    await expect(meter(page, name)).toContainText(percent);
    await expect(meter(page, name)).not.toContainText('left');
    await expect(bar(page, name)).toHaveAttribute('value', '100');
    await expect(note).toBeVisible();
  }

  site.putOnPlan(person.email, 'power');
  site.fill(person.email, { bytes: 15_600_770_000, files: 320 });
  await page.reload();
  await expect(meter(page, 'Space used')).toHaveText(
    'Space used15.60 GBof 25.00 GB62.4% of quota used9.40 GB left15,600.77 MB of 25,000.00 MB',
  );
});

test(
  'Plan Info and Usage link to each other, and Usage to the plans',
  { tag: '@detail' },
  async ({ signedInPage: page }) => {
    await page.goto('/dashboard/plan-info');
    await page.getByRole('link', { name: 'Usage and activity' }).press('Enter');
    await expect(page).toHaveURL(/\/dashboard\/usage$/);
    await expect(pageHeading(page)).toHaveText('Usage');
    await expect(pageHeading(page)).toBeFocused();
    await page.getByRole('main').getByRole('link', { name: 'Plan Info' }).press('Enter');
    await expect(pageHeading(page)).toHaveText('Plan Info');
    await page.goBack();
    await page.getByRole('link', { name: 'Need more account space?' }).press('Enter');
    await expect(page).toHaveURL(/\/plan-pricing$/);
  },
);
