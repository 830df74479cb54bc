import type { Route } from '@playwright/test';
import { pageHeading, toast } from '../harness/screen.ts';
import { spoilCall } from '../harness/spoil-call.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { expect, test } from '../harness/test.ts';
import { choose, link, openQueue, row, start, tray, uploadCall } from '../harness/upload-queue.ts';

test.beforeEach(({ signedInPage: page }) => openQueue(page));

test('a single failed upload or all failed uploads can be retried', async ({ page }) => {
  await page.route(uploadCall, (route) => route.fulfill({ status: 500, json: { success: false } }));
  await choose(page, 'a.txt', 'b.txt', 'c.txt');
  await start(page).click();
  await expect(toast(page, 'a.txt upload failed: Unknown error')).toBeVisible();
  await expect(toast(page, '2 files could not be uploaded: Unknown error')).toBeVisible();
  await expect(page.getByText('Upload failed', { exact: true })).toHaveCount(3);
  await page.unroute(uploadCall);
  await page.getByRole('button', { name: 'Retry b.txt' }).click();
  await expect(link(page, 'b.txt')).toBeVisible();
  await expect(row(page, 'a.txt')).toContainText('Upload failed');
  await page.getByRole('button', { name: 'Retry all' }).click();
  await expect(link(page, 'a.txt')).toBeVisible();
  await expect(link(page, 'c.txt')).toBeVisible();
});

test('a 429 pauses the queue, which says until when, and Try now ends the pause', async ({ page }) => {
  await stopClock(page);
  const slowDown = { success: false, error: 'Slow down.' };
  const refuse = (route: Route) => route.fulfill({ status: 429, headers: { 'Retry-After': '3600' }, json: slowDown });
  await spoilCall(page, uploadCall, refuse, 1);
  await choose(page, 'a.txt', 'b.txt');
  await start(page).click();
  await expect(toast(page, /^The server limits uploads for now\. Next attempt: .* Try now$/)).toBeVisible();
  await expect(row(page, 'a.txt')).toContainText('Waiting');
  await expect(row(page, 'a.txt').getByRole('progressbar')).toHaveAttribute('value', '0');
  // The title changes at most four times a second.
  await page.clock.runFor(250);
  await expect(page).toHaveTitle(/^Waiting, 0% \(1 of 2\) /);
  await page.getByRole('link', { name: 'Account Info' }).click();
  await expect(tray(page)).toContainText('Waiting to try again, 1 of 2');
  // While the queue's own page is still shown, it counts the outcome as seen.
  await expect(pageHeading(page)).toHaveText('Account Info');
  await tray(page).getByRole('link', { name: 'Show' }).click();
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.clock.resume();
  await expect(link(page, 'b.txt')).toBeVisible();
});
