import type { Page } from '@playwright/test';
import { pageHeading, toast } from '../harness/screen.ts';
import { passTimeUntil, soon, stopClock } from '../harness/stop-clock.ts';
import { expect, test } from '../harness/test.ts';

/** The live region of toasts, which exists before the first of them. */
const region = (page: Page) => page.locator('[role=status][aria-live=polite]');

test('an error is shown in the live region for four seconds', async ({ signedInPage: page }) => {
  const text = 'Failed to change API key';
  await page.goto('/dashboard/change-api');
  await page.route('**/change-api-key', (route) => route.abort());
  await expect(region(page)).toBeAttached();
  await expect(pageHeading(page)).toBeVisible();
  await stopClock(page);
  await page.getByRole('button', { name: 'Generate new API key' }).click();
  await expect(region(page).getByText(text)).toBeVisible();
  await page.clock.runFor(3800);
  await expect(toast(page, text)).toBeVisible();
  await passTimeUntil(page, 300, () => expect(toast(page, text)).toBeHidden(soon));
});
