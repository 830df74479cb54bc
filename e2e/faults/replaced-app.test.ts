/** Scripts that cannot be loaded: a newer version has replaced them, or the connection is down for a moment. */
import type { Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { carried, choose, dragOverHeader, openQueue, tray } from '../harness/upload-queue.ts';

const aboutUs = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'About Us' });
const home = (page: Page) => page.getByRole('link', { name: 'Holdfast' }).first();
const question = (page: Page) => page.getByRole('dialog');

/** The next version has other scripts, and its page names them. */
async function upgrade(page: Page): Promise<void> {
  await page.route(/assets\/AboutUsPage/, (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.route('**/', async (route) => {
    if (route.request().resourceType() === 'document') return route.fallback();
    return route.fulfill({ contentType: 'text/html', body: '<script src="/assets/index-another1.js"></script>' });
  });
}

test('after an upgrade, opening a page loads the new version', async ({ page }) => {
  await page.goto('/');
  await expect(pageHeading(page)).toBeVisible();
  // The page has been open for more than ten seconds.
  await page.evaluate(() => Object.assign(performance, { now: () => 11_000 }));
  await upgrade(page);
  const loaded = page.waitForRequest((request) => request.isNavigationRequest());
  await aboutUs(page).click();
  await loaded;
  await page.unrouteAll();
  await page.reload();
  await expect(pageHeading(page)).toHaveText('About Us');
});

test('after an upgrade, files in the queue are kept until the user agrees', async ({ signedInPage: page }) => {
  await openQueue(page);
  await choose(page, 'a.txt');
  await home(page).click();
  await upgrade(page);
  await aboutUs(page).click();
  await expect(pageHeading(page)).toHaveText('A new version is available.');
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(question(page)).toHaveAccessibleName('Load the page again and empty the upload queue?');
  await page.getByRole('button', { name: 'Keep the queue' }).click();
  await expect(tray(page)).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Load again' }).click();
  await question(page).getByRole('button', { name: 'Load again' }).click();
  await expect(pageHeading(page)).toHaveText('About Us');
});

test('a page whose script got no response is opened by Load again', async ({ page }) => {
  await page.goto('/');
  await page.route(/assets\/AboutUsPage/, (route) => route.abort());
  await aboutUs(page).click();
  await expect(pageHeading(page)).toHaveText('This page could not be loaded.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(pageHeading(page)).toHaveText('About Us');
});

test('a part of the dashboard that got no response is loaded by Load again', async ({ signedInPage: page }) => {
  await page.route(/assets\/UploadsEverywhere/, (route) => route.abort());
  await page.goto('/');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(pageHeading(page)).toHaveText('This page could not be loaded.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(pageHeading(page)).toHaveText('Upload Files');
  await choose(page, 'a.txt');
  await page.getByRole('link', { name: 'Account Info' }).click();
  await expect(tray(page)).toContainText('1 file waiting');
});

test('parts of the public pages that got no response are there on the next page', async ({ signedInPage: page }) => {
  await page.route(/assets\/(UploadsEverywhere|AccountMenu)/, (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible();
  // While the server does not respond, the app stays.
  await page.route('**/', (route) => route.abort());
  await aboutUs(page).click();
  await expect(pageHeading(page)).toHaveText('About Us');
  await page.unrouteAll();
  const loaded = page.waitForRequest((request) => request.isNavigationRequest());
  await page.getByRole('banner').getByRole('link', { name: 'FAQs' }).click();
  await loaded;
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();
});

test('without the account menu a user can log out, and is asked about the queue', async ({ ownPage: page }) => {
  await page.route(/assets\/AccountMenu/, (route) => route.abort());
  await page.goto('/');
  const logout = page.getByRole('banner').getByRole('button', { name: 'Logout' });
  await expect(logout).toBeVisible();
  await dragOverHeader(page, await carried(page, 'a.txt'));
  await page.locator('body').dispatchEvent('drop', { dataTransfer: await carried(page, 'a.txt') });
  await expect(tray(page)).toContainText('1 file waiting');
  await logout.click();
  await question(page).getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
});
