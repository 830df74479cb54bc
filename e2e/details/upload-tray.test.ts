import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { cancel, choose, link, openQueue, row, start, tray, uploadCall } from '../harness/upload-queue.ts';

test.beforeEach(({ signedInPage: page }) => openQueue(page));

const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click();

test('an upload continues while another page is open', async ({ page }) => {
  const sending = await holdBack(page, uploadCall);
  await choose(page, 'a.txt', 'b.txt');
  await start(page).click();
  await expect(page).toHaveTitle('0% (1 of 2) Upload Files · Holdfast');
  await expect(tray(page)).toBeHidden();
  await page.getByRole('link', { name: 'Account Info' }).click();
  await expect(tray(page)).toContainText('Uploading 1 of 2');
  await expect(tray(page)).toContainText('a.txt');
  sending.letGo();
  await expect(tray(page)).toContainText('Uploading 2 of 2');
  await expect(page).toHaveTitle('50% (2 of 2) Account Info · Holdfast');
  await tray(page).getByRole('link', { name: 'Show' }).click();
  await expect(cancel(page)).toHaveAccessibleName('Cancel b.txt');
  await expect(tray(page)).toBeHidden();
  sending.letGo();
  await expect(link(page, 'b.txt')).toBeVisible();
});

test('the tray shows the result of a batch until it is dismissed', async ({ page }) => {
  const sending = await holdBack(page, uploadCall);
  await choose(page, 'a.txt', 'setup.exe', 'b.txt');
  await start(page).click();
  await goTo(page, 'Account Info');
  await expect(pageHeading(page)).toHaveText('Account Info');
  sending.letGo(3);
  await expect(tray(page)).toContainText('2 uploaded, 1 failed');
  await goTo(page, 'Plan Info');
  await expect(tray(page)).toContainText('2 uploaded, 1 failed');
  await tray(page).getByRole('button', { name: 'Dismiss' }).click();
  await expect(tray(page)).toBeHidden();
  await expect(pageHeading(page)).toBeFocused();
});

for (const width of [390, 768, 1280])
  test(`the tray covers no bar of selected files on a window of ${width} pixels`, async ({ page }) => {
    await choose(page, 'picked.txt');
    await start(page).click();
    await expect(link(page, 'picked.txt')).toBeVisible();
    const sending = await holdBack(page, uploadCall);
    await choose(page, 'a.txt');
    await start(page).click();
    await goTo(page, 'File Management');
    await page.setViewportSize({ width, height: 800 });
    await page.getByRole('checkbox', { name: 'Select picked.txt' }).first().check();
    const bar = await page.getByRole('region', { name: 'Selected files' }).boundingBox();
    const place = await tray(page).boundingBox();
    expect(bar && place && bar.y + bar.height).toBeLessThanOrEqual(place?.y ?? 0);
    sending.letGo();
    await expect(tray(page)).toContainText('1 uploaded');
  });

test('closing the page asks for confirmation only while a batch runs', async ({ page }) => {
  const sending = await holdBack(page, uploadCall);
  await choose(page, 'a.txt', 'b.txt');
  await start(page).click();
  await expect(cancel(page)).toBeVisible();
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  sending.letGo(2);
  await expect(link(page, 'b.txt')).toBeVisible();
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
});

test('a queue of a thousand files renders only the rows near the viewport', async ({ page }) => {
  const names = Array.from({ length: 1000 }, (_, index) => `file-${index + 1}.txt`);
  await choose(page, ...names);
  const rows = page.getByRole('list', { name: 'Upload queue' }).getByRole('listitem');
  await expect(rows.first()).toHaveAttribute('aria-setsize', '1000');
  expect(await rows.count()).toBeLessThan(60);
  await page.getByRole('button', { name: 'Remove file-1.txt' }).focus();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(row(page, 'file-1000.txt')).toBeInViewport();
  await expect(row(page, 'file-1000.txt')).toHaveAttribute('aria-posinset', '1000');
  await expect(page.getByRole('button', { name: 'Remove file-1.txt' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove file-2.txt' })).toBeFocused();
  await expect(rows.first()).toHaveAttribute('aria-setsize', '999');
});
