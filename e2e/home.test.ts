import type { Page } from '@playwright/test';
import { pageHeading } from './harness/screen.ts';
import { expect, test } from './harness/test.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name });

test('each of the three links of the hero leads where it says', async ({ page }) => {
  for (const [name, path] of [
    ['Start Free Upload', /\/sign-in$/],
    ['Explore Premium Plans', /\/plan-pricing$/],
    ['Learn More', /\/about-us$/],
  ] as const) {
    await page.goto('/');
    await page.getByRole('main').getByRole('link', { name }).click();
    await expect(page).toHaveURL(path);
  }
});

test('the page has its features, its words about the service and its plans, in this order', async ({ page }) => {
  await page.goto('/');
  await expect(section(page, 'Features').getByRole('listitem')).toHaveCount(4);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).last()).toHaveText('Pricing');
  await expect(section(page, 'Made to stay put')).toContainText('since 2015');
});

test('the plans are loaded when a reader comes near them, and work as on their own page', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/');
  await expect(section(page, 'Pricing')).toBeAttached();
  await expect(section(page, 'Pricing').getByRole('listitem')).toHaveCount(0);
  expect(asked.filter((url) => url.includes('/Pricing'))).toEqual([]);
  await section(page, 'Pricing').scrollIntoViewIfNeeded();
  await expect(section(page, 'Pricing').getByRole('listitem')).toHaveCount(5);
  await section(page, 'Pricing').getByRole('radio', { name: 'Yearly' }).check();
  await expect(section(page, 'Pricing').getByText('save 17%')).toHaveCount(2);
  await expect(section(page, 'Pricing').getByRole('link', { name: 'Sign in to continue' })).toHaveCount(4);
});

test('what is shown to paste has the address of this very site', async ({ page, site }) => {
  await page.goto('/');
  const uses = section(page, 'Paste it where you need it');
  await expect(uses).toContainText(`resource-pack=${site.url}/file/`);
  await expect(uses).toContainText(`"RequestURL": "${site.url}/api/v3/upload"`);
  await uses.getByRole('link', { name: 'API docs' }).click();
  await expect(page).toHaveURL(/\/api-docs$/);
});

test('where the plans do not come, the rest of the page stays and leads to them', async ({ page }) => {
  await page.route('**/assets/Pricing-*', (route) => route.abort());
  await page.goto('/');
  await page.getByRole('heading', { name: 'Pricing' }).scrollIntoViewIfNeeded();
  const way = page.getByRole('link', { name: 'See the plans and their prices' });
  await expect(way).toHaveAttribute('href', '/plan-pricing');
  await expect(pageHeading(page)).toHaveText('A link that holds.');
});
