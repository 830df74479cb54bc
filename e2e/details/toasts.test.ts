import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from '../harness/axe.ts';
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

test('at most twenty toasts are shown, above the middle of the page', async ({ signedInPage: page }) => {
  await page.goto('/dashboard');
  await page.route('**/api/v3/upload', (route) =>
    route.fulfill({ json: { success: true, url: 'http://localhost/file/kelp' } }),
  );
  const names = Array.from({ length: 25 }, (_, index) => `${index + 1}.txt`);
  const files = names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('hold fast') }));
  await page.getByLabel('Files to upload').setInputFiles(files);
  await page.getByRole('button', { name: 'Upload Files' }).click();
  await expect(toast(page, '25.txt uploaded successfully!')).toBeVisible();
  expect(await region(page).getByText('uploaded successfully!').count()).toBeLessThanOrEqual(20);
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No files selected for upload')).toBeVisible();
});
