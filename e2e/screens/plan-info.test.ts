import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../harness/test.ts';

const planInfoPath = '/dashboard/plan-info';
const planLimit = (page: Page, name: string): Locator =>
  page.getByRole('main').locator('dl > div').filter({ hasText: name }).getByRole('definition');
const usedBar = (page: Page, name: string): Locator =>
  page.getByRole('progressbar', { name: `${name}, part of the quota` });
const planUsage = (page: Page): Locator => page.getByRole('region', { name: 'Usage' });
const exceedsPlan = (page: Page): Locator => page.getByText('Your files exceed your plan.');

const limitNames = ['Max file size', 'Max download speed'] as const;

test('the page shows the plan, its limits, and the usage beside them', async ({ page, person, site }) => {
  site.fill(person.email, { bytes: 144_020_000, files: 61 });
  for (const { level, name, limits, manage } of [
    {
      level: 'power',
      name: 'Power',
      limits: ['5.00 GB', 'Unlimited'],
      manage: /^\/api\/stripe\/subscription\?account=.+/,
    },
    { level: 'free', name: 'Free', limits: ['100.00 MB', '4 Mbps'], manage: '/plan-pricing' },
  ] as const) {
    site.putOnPlan(person.email, level);
    await page.goto(planInfoPath);
    await expect(page.getByText('Current plan')).toBeVisible();
    await expect(page.getByText(name, { exact: true })).toBeVisible();
    for (const [index, each] of limitNames.entries())
      await expect(planLimit(page, each)).toHaveText(limits[index] ?? '');
    await expect(page.getByRole('main').getByRole('link', { name: 'Manage Plan' })).toHaveAttribute('href', manage);
  }
  await expect(planUsage(page)).toContainText('144.02 MBof 500.00 MB28.8% of quota used');
  await expect(planUsage(page)).toContainText('61of 500 slots12.2% of quota used');
  await expect(usedBar(page, 'Space used')).toHaveAttribute('value', '28.8');
  await expect(usedBar(page, 'Files')).toHaveAttribute('value', '12.2');

  site.fill(person.email, { bytes: 2_000_000_000, files: 20 });
  await page.reload();
  await expect(planUsage(page)).toContainText('400.0% of quota used');
  await expect(usedBar(page, 'Space used')).toHaveAttribute('value', '100');
  await expect(exceedsPlan(page)).toContainText('They are all kept, but you cannot upload until you delete some.');
});
