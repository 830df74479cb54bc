import type { Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name });

test('the page shows the features, a text to paste, a text about the service and, last, the plans', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1280, height: 600 });
  await page.goto('/');
  await expect(section(page, 'Features').getByRole('listitem')).toHaveCount(4);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).last()).toHaveText('Pricing');
  await expect(section(page, 'Made to stay put')).toContainText('since 2015');
  const uses = section(page, 'Paste it where you need it');
  await expect(uses).toContainText(`resource-pack=${site.url}/file/`);
  await expect(uses).toContainText(`"RequestURL": "${site.url}/api/v3/upload"`);
  await expect(uses.getByRole('button', { name: /^Copy / })).toHaveCount(3);
  await expect(uses.getByRole('link', { name: 'API docs' })).toHaveAttribute('href', '/api-docs');

  const plans = section(page, 'Pricing');
  await plans.scrollIntoViewIfNeeded();
  await expect(plans.getByRole('listitem')).toHaveCount(5);
  await plans.getByRole('radio', { name: 'Yearly' }).check();
  await expect(plans.getByText('save 17%')).toHaveCount(2);
  await expect(plans.getByRole('link', { name: 'Sign in to continue' })).toHaveCount(4);
});

test(
  'the hero leads newcomers to Sign Up, to Pricing and About Us, and its lines reach the edge of wide screens',
  { tag: '@detail' },
  async ({ page }) => {
    await page.goto('/');
    for (const width of [1280, 1920, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(pageHeading(page)).toBeVisible();
      const edge = async () => {
        const lines = await page.locator('section:has(h1) > svg').boundingBox();
        return (lines?.x ?? 0) + (lines?.width ?? 0);
      };
      await expect.poll(edge, `at ${width}`).toBeGreaterThanOrEqual(width);
    }
    for (const [name, path] of [
      ['Start Free Upload', /\/sign-up$/],
      ['Explore Premium Plans', /\/plan-pricing$/],
      ['Learn More', /\/about-us$/],
    ] as const) {
      await page.getByRole('main').getByRole('link', { name }).click();
      await expect(page).toHaveURL(path);
      await page.getByRole('banner').getByRole('link', { name: 'Holdfast' }).first().click();
      await expect(pageHeading(page)).toHaveText('A link that holds.');
    }
  },
);
