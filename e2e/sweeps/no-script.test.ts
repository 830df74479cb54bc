import type { Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

// Located by element: no locator finds text inside a noscript.
const notice = (page: Page) => page.locator('noscript');

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  for (const path of ['/', '/api-docs', '/dashboard'])
    test(`the first screen of ${path} says that JavaScript is needed`, async ({ page }) => {
      await page.goto(path);
      await expect(notice(page)).toBeInViewport();
      expect(await notice(page).innerText()).toContain('need JavaScript');
    });
});

test('with JavaScript the note is not shown', async ({ page }) => {
  await page.goto('/');
  await expect(pageHeading(page)).toBeVisible();
  await expect(notice(page)).toBeHidden();
});
