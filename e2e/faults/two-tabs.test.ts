import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { box, deleteButton, fileRow, fileRows, openList, star } from '../harness/library.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';
import { choose, openQueue, start } from '../harness/upload-queue.ts';

const welcome = 'Welcome back';
const changed = 'Another account is now signed in in this browser.';
const accountCall = '**/get-account-info';
const typeDelete = (page: Page) => page.getByLabel("Type 'delete' to confirm");

test('signing out in one tab signs out in the other', async ({ page, person, context }) => {
  await page.goto('/dashboard');
  await expect(page.getByText(`${welcome} ${person.email}`)).toBeVisible();
  const other = await context.newPage();
  await other.goto('/dashboard/account-info');
  await other.getByRole('button', { name: 'Account menu' }).click();
  await other.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
});

test('a tab that shows another account than the session deletes no account', async ({
  page,
  person,
  context,
  signedOnce,
}) => {
  await page.goto('/dashboard/delete-account');
  await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
  await typeDelete(page).fill('delete');
  await expect(page.getByText(`${welcome} ${person.email}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Permanently delete my account' })).toBeEnabled();
  // The cookie becomes another user's, and this tab is not notified.
  await context.clearCookies();
  await context.addCookies([...signedOnce.cookies]);
  const refused = page.waitForResponse('**/delete-account');
  await page.keyboard.press('Enter');
  expect((await refused).status()).toBe(409);
  expect((await refused).request().headers()['holdfast-account']).toBe(person.email);
  await expect(toast(page, changed)).toBeVisible();
  await expect(page.getByText(`${welcome} ${signedOnce.person.email}`)).toBeVisible();
  await expect(pageHeading(page)).toHaveText('Delete Account');
  await expect(typeDelete(page)).toBeHidden();
});

test('when one tab changes the API key, others copy the new one and hide the old one, even if the server is slow', async ({
  page,
  person,
  context,
}) => {
  const copyKey = page.getByRole('button', { name: 'Copy API key' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/dashboard/account-info');
  await copyKey.hover();
  await expect(page.getByText(person.apiKey)).toBeVisible();
  await holdBack(page, accountCall);
  const other = await context.newPage();
  await other.goto('/dashboard/change-api');
  await other.getByRole('button', { name: 'Generate new API key' }).click();
  const key = await other.getByRole('region', { name: 'Your new API key' }).getByRole('code').textContent();
  await page.bringToFront();
  await copyKey.click();
  await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await expect(page.getByText(person.apiKey)).toBeHidden();
});

test('starred, deleted and uploaded files are updated in other tabs', async ({ page, person, context, site }) => {
  for (const name of ['kelp.txt', 'reef.txt']) await uploadByKey(site, person, name);
  await openList(page);
  await expect(fileRows(page)).toHaveCount(2);
  const other = await context.newPage();
  await openList(other);
  await star(other, 'kelp.txt').click();
  await expect(star(page, 'kelp.txt')).toHaveAttribute('aria-pressed', 'true');
  await box(other, 'reef.txt').check();
  await deleteButton(other).click();
  await expect(fileRows(page)).toHaveCount(1);
  await openQueue(other);
  await choose(other, 'wrack.txt');
  await start(other).click();
  await expect(fileRow(page, 'wrack.txt')).toBeVisible();
});
