import type { Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name });

test('the three links of the hero lead to sign-in, Pricing and About Us', async ({ page }) => {
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

test('the page shows the features, a text about the service and, last, the plans', async ({ page }) => {
  await page.goto('/');
  await expect(section(page, 'Features').getByRole('listitem')).toHaveCount(4);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).last()).toHaveText('Pricing');
  await expect(section(page, 'Made to stay put')).toContainText('since 2015');
});

test('the plans are rendered before scrolling and can be switched to Yearly', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 });
  await page.goto('/');
  await expect(section(page, 'Pricing').getByRole('listitem')).toHaveCount(5);
  await section(page, 'Pricing').getByRole('radio', { name: 'Yearly' }).check();
  await expect(section(page, 'Pricing').getByText('save 17%')).toHaveCount(2);
  await expect(section(page, 'Pricing').getByRole('link', { name: 'Sign in to continue' })).toHaveCount(4);
});

test('the background lines of the hero reach the edge of wide screens', async ({ page }) => {
  for (const width of [1280, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await expect(pageHeading(page)).toBeVisible();
    const lines = await page.locator('section:has(h1) > svg').boundingBox();
    expect((lines?.x ?? 0) + (lines?.width ?? 0), `at ${width}`).toBeGreaterThanOrEqual(width);
  }
});

test('the text to paste contains the address of this site', async ({ page, site }) => {
  await page.goto('/');
  const uses = section(page, 'Paste it where you need it');
  await expect(uses).toContainText(`resource-pack=${site.url}/file/`);
  await expect(uses).toContainText(`"RequestURL": "${site.url}/api/v3/upload"`);
  await uses.getByRole('link', { name: 'API docs' }).click();
  await expect(page).toHaveURL(/\/api-docs$/);
});
