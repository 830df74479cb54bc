import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading } from '../harness/screen.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { expect, test } from '../harness/test.ts';
import { cancel, choose, link, openQueue, row, start, tray, uploadCall } from '../harness/upload-queue.ts';

test.beforeEach(({ signedInPage: page }) => openQueue(page));

const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click();

test('an upload continues while another page is open', async ({ page }) => {
  const sending = await holdBack(page, uploadCall);
  await choose(page, 'a.txt', 'b.txt');
  await start(page).click();
  await expect(tray(page)).toBeHidden();
  await page.getByRole('link', { name: 'Account Info' }).click();
  await expect(tray(page)).toContainText('Uploading 1 of 2');
  await expect(tray(page)).toContainText('a.txt');
  sending.letGo();
  await expect(tray(page)).toContainText('Uploading 2 of 2');
  await tray(page).getByRole('link', { name: 'Show' }).click();
  await expect(cancel(page)).toHaveAccessibleName('Cancel b.txt');
  await expect(tray(page)).toBeHidden();
  sending.letGo();
  await expect(link(page, 'b.txt')).toBeVisible();
});

test('the tab title shows the progress of the batch on other pages too', async ({ page }) => {
  const sending = await holdBack(page, uploadCall);
  await expect(page).toHaveTitle('Upload Files · Holdfast');
  await choose(page, 'a.txt', 'b.txt');
  await start(page).click();
  await expect(page).toHaveTitle('0% (1 of 2) Upload Files · Holdfast');
  sending.letGo();
  await expect(page).toHaveTitle('50% (2 of 2) Upload Files · Holdfast');
  await page.getByRole('link', { name: 'Account Info' }).click();
  await expect(page).toHaveTitle('50% (2 of 2) Account Info · Holdfast');
  sending.letGo();
  await expect(page).toHaveTitle('Account Info · Holdfast');
});

const ways: readonly { readonly what: string; readonly away: (page: Page) => Promise<unknown> }[] = [
  { what: 'the home page', away: (page) => goTo(page, 'Holdfast') },
  {
    what: 'Pricing',
    async away(page) {
      await goTo(page, 'Plan Info');
      await page
        .getByRole('link', { name: /more account space|Manage Plan/ })
        .first()
        .click();
    },
  },
];

for (const { what, away } of ways)
  test(`an upload continues after a visit to ${what} and the browser's Back and Forward`, async ({ page }) => {
    await page.route('**/api/stripe/**', (route) => route.abort());
    const sending = await holdBack(page, uploadCall);
    await choose(page, 'a.txt', 'b.txt', 'c.txt');
    await start(page).click();
    await away(page);
    await expect(tray(page)).toContainText('Uploading 1 of 3');
    await page.goBack();
    await page.goForward();
    sending.letGo();
    await expect(tray(page)).toContainText('Uploading 2 of 3');
    sending.letGo();
    await expect(tray(page)).toContainText('Uploading 3 of 3');
    await tray(page).getByRole('link', { name: 'Show' }).click();
    await expect(link(page, 'b.txt')).toBeVisible();
    await expect(cancel(page)).toHaveAccessibleName('Cancel c.txt');
    sending.letGo();
    await expect(link(page, 'c.txt')).toBeVisible();
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

test('the tray does not repeat a result that was shown in the queue', async ({ page }) => {
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(link(page, 'a.txt')).toBeVisible();
  await expect(start(page)).toBeVisible();
  await goTo(page, 'Account Info');
  await expect(pageHeading(page)).toHaveText('Account Info');
  await expect(tray(page)).toBeHidden();
});

test('the tray shows waiting files on other pages and can start their upload', async ({ page }) => {
  await choose(page, 'a.txt', 'b.txt');
  await goTo(page, 'Account Info');
  await expect(pageHeading(page)).toHaveText('Account Info');
  await expect(tray(page)).toContainText('2 files waiting');
  await tray(page).getByRole('button', { name: 'Upload' }).click();
  await expect(tray(page).getByRole('link', { name: 'Show' })).toBeFocused();
  await expect(tray(page)).toContainText('2 uploaded');
  await tray(page).getByRole('link', { name: 'Show' }).click();
  await expect(link(page, 'b.txt')).toBeVisible();
});

test('on a phone the tray covers no control at the end of a page', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await choose(page, 'a.txt');
  for (const name of ['General Settings', 'Delete Account', 'Account Info']) {
    await page.getByRole('button', { name: 'Open navigation' }).click();
    const group = page.getByRole('dialog').getByRole('button', { name: 'Settings' });
    if ((await group.getAttribute('aria-expanded')) === 'false') await group.click();
    await page.getByRole('dialog').getByRole('link', { name, exact: true }).click();
    await expect(pageHeading(page)).toHaveText(name);
    await page.getByRole('main').getByRole('button').or(page.getByRole('main').getByRole('slider')).last().waitFor();
    await expect(tray(page)).toContainText('1 file waiting');
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    expect(await coveredByTray(page), name).toEqual([]);
  }
});

/** The controls that reach below the top edge of the tray, so that it may cover them. */
const coveredByTray = (page: Page) =>
  tray(page).evaluate((box) => {
    const { top } = box.getBoundingClientRect();
    return [...document.querySelectorAll('main :is(a, button, input, select, [role=slider])')]
      .filter((each) => each.checkVisibility() && each.getBoundingClientRect().bottom > top)
      .map((each) => each.outerHTML.slice(0, 80));
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

const pauses: readonly { readonly what: string; readonly begin: (page: Page) => Promise<unknown> }[] = [
  {
    what: 'the server sent a Retry-After',
    async begin(page) {
      await page.route(uploadCall, (route) =>
        route.fulfill({ status: 429, headers: { 'Retry-After': '60' }, json: { success: false, error: 'Slow down.' } }),
      );
      await start(page).click();
      await expect(row(page, 'a.txt')).toContainText('Waiting to try again...');
    },
  },
  {
    what: 'the server does not respond',
    async begin(page) {
      await page.route(uploadCall, (route) => route.abort('connectionrefused'));
      await start(page).click();
      await expect(page.getByText('No response from server. Please check your connection.')).toBeVisible();
    },
  },
  {
    what: 'the browser is offline',
    async begin(page) {
      await page.context().setOffline(true);
      await start(page).click();
      await expect(page.getByText('Uploads restart when you reconnect')).toBeVisible();
    },
  },
];

for (const { what, begin } of pauses)
  test(`closing the page asks for confirmation while a batch waits because ${what}`, async ({ page }) => {
    await stopClock(page);
    await choose(page, 'a.txt', 'b.txt');
    await begin(page);
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await page.context().setOffline(false);
  });

test('closing the page needs no confirmation before the upload is started', async ({ page }) => {
  await choose(page, 'a.txt');
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
