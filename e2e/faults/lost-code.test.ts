/** Page scripts that fail to load: the connection is down for a moment, or a newer version has replaced them. */
import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from '../harness/axe.ts';
import { errorBox, pageHeading } from '../harness/screen.ts';
import { expect, goodPassword, test } from '../harness/test.ts';
import { choose, openQueue, row, tray } from '../harness/upload-queue.ts';

const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true });
/** The brand link is in a different place in the dashboard than on public pages. */
const home = (page: Page) => page.getByRole('link', { name: 'Holdfast' }).first();
const question = (page: Page) => page.getByRole('dialog');

/** Simulates a server restart, and collects the requests made meanwhile. */
async function loseConnection(page: Page, script: string) {
  const asked: string[] = [];
  await page.route(`**/assets/${script}-*`, async (route) => {
    asked.push(route.request().url());
    await route.abort('connectionrefused');
  });
  return { asked, comesBack: () => page.unroute(`**/assets/${script}-*`) };
}

/** Simulates an upgrade: the tab requests scripts that the new version does not have. */
const replace = (page: Page, scripts: RegExp) =>
  page.route(scripts, (route) => route.fulfill({ status: 404, body: 'gone' }));

/** Returns a function that reports whether the document is still the same, that is, not reloaded. */
async function watchDocument(page: Page) {
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  return () => page.evaluate(() => 'sameDocument' in window);
}

test('a page whose preload failed during a restart can be opened afterwards', async ({ signedInPage: page }) => {
  await openQueue(page);
  const isSame = await watchDocument(page);
  const lost = await loseConnection(page, 'FileManagementPage');
  await entry(page, 'File Management').hover();
  await expect.poll(() => lost.asked).not.toEqual([]);
  await lost.comesBack();
  await entry(page, 'File Management').click();
  await expect(pageHeading(page)).toHaveText('File Management');
  expect(await isSame()).toBe(true);
});

test('a page whose dependency failed to load is shown by Try again', async ({ signedInPage: page }) => {
  await openQueue(page);
  const lost = await loseConnection(page, 'use-kept-focus');
  await entry(page, 'File Management').click();
  await expect(pageHeading(page)).toHaveText('This page could not be loaded.');
  await lost.comesBack();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(pageHeading(page)).toHaveText('File Management');
});

for (const { link, script, title } of [
  { link: 'Pricing', script: 'PlanPricingPage', title: 'Pricing' },
  { link: 'API Docs', script: 'ApiDocsPage', title: 'API Docs' },
])
  test(`if ${link} fails to load, the upload queue is kept, and Try again shows the page`, async ({
    signedInPage: page,
  }) => {
    await openQueue(page);
    await choose(page, 'a.txt', 'b.txt', 'c.txt');
    const isSame = await watchDocument(page);
    const lost = await loseConnection(page, script);
    await home(page).click();
    await page.getByRole('banner').getByRole('link', { name: link, exact: true }).click();
    await expect(pageHeading(page)).toHaveText('This page could not be loaded.');
    await expect(page.getByRole('banner')).toBeVisible();
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(pageHeading(page)).toHaveText('This page could not be loaded.');
    await lost.comesBack();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(pageHeading(page)).toHaveText(title);
    await page.goBack();
    await page.goBack();
    await expect(row(page, 'c.txt')).toBeVisible();
    expect(await isSame()).toBe(true);
  });

test('returning to a page that failed to load shows it', async ({ signedInPage: page }) => {
  await openQueue(page);
  const lost = await loseConnection(page, 'PlanInfoPage');
  await entry(page, 'Plan Info').click();
  await expect(pageHeading(page)).toHaveText('This page could not be loaded.');
  await entry(page, 'Account Info').click();
  await expect(pageHeading(page)).toHaveText('Account Info');
  await lost.comesBack();
  await entry(page, 'Plan Info').click();
  await expect(pageHeading(page)).toHaveText('Plan Info');
});

test('a reload after an upgrade needs confirmation while files are in the queue', async ({ signedInPage: page }) => {
  await openQueue(page);
  await choose(page, 'a.txt');
  await page.waitForLoadState('networkidle');
  const isSame = await watchDocument(page);
  await replace(page, /assets\/AboutUsPage/);
  await home(page).click();
  await page.getByRole('banner').getByRole('link', { name: 'About Us' }).click();
  await expect(pageHeading(page)).toHaveText('A new version is available.');
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(question(page)).toHaveAccessibleName('Load the page again and stop the uploads?');
  await page.getByRole('button', { name: 'Keep uploading' }).click();
  await expect(question(page)).toBeHidden();
  await expect(tray(page)).toBeVisible();
  expect(await isSame()).toBe(true);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Load again' }).click();
  await question(page).getByRole('button', { name: 'Load again' }).click();
  await expect(pageHeading(page)).toHaveText('About Us');
  expect(await isSame()).toBe(false);
});

test('a reload after an upgrade needs no confirmation while the queue is empty', async ({ signedInPage: page }) => {
  await openQueue(page);
  await replace(page, /assets\/PlanInfoPage/);
  await entry(page, 'Plan Info').click();
  await expect(pageHeading(page)).toHaveText('A new version is available.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(pageHeading(page)).toHaveText('Plan Info');
});

async function fillSignIn(page: Page, email: string) {
  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.waitForLoadState('networkidle');
}

const signIn = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();

test('a sign-in in a tab from before an upgrade offers to load the new version', async ({ page, person }) => {
  await fillSignIn(page, person.email);
  await replace(page, /assets\/(?!solve-captcha)/);
  await signIn(page);
  await expect(pageHeading(page)).toHaveText('A new version is available.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(pageHeading(page)).toHaveText('Upload Files');
});

test('if an upgrade replaced the bot check, a message asks the user to reload the page', async ({ page, person }) => {
  await fillSignIn(page, person.email);
  await replace(page, /assets\/solve-captcha/);
  await signIn(page);
  await expect(errorBox(page)).toHaveText('A new version is available. Reload the page.');
});

test('a bot check that failed to load is loaded again by the next press', async ({ page, person }) => {
  await fillSignIn(page, person.email);
  const lost = await loseConnection(page, 'solve-captcha.worker');
  await signIn(page);
  await expect(errorBox(page)).toHaveText('Bot check not loaded');
  await lost.comesBack();
  await signIn(page);
  await expect(pageHeading(page)).toHaveText('Upload Files');
});
