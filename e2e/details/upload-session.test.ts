import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { signIn } from '../harness/sign-in.ts';
import { expect, test } from '../harness/test.ts';
import { choose, link, openQueue, row, start, tray, uploadCall } from '../harness/upload-queue.ts';

const question = (page: Page) => page.getByRole('dialog');

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
}

test('logging out asks before it stops uploads, and Escape keeps them running', async ({ page, person }) => {
  await openQueue(page);
  const sending = await holdBack(page, uploadCall);
  await choose(page, 'a.txt', 'b.txt', 'c.txt');
  await start(page).click();
  sending.letGo();
  await expect(link(page, 'a.txt')).toBeVisible();
  await logOut(page);
  await expect(question(page)).toHaveAccessibleName('Log out and stop the uploads?');
  await expect(question(page)).toHaveAccessibleDescription(
    '2 files in the upload queue would stop, and the queue would be emptied.',
  );
  await expect(page.getByRole('button', { name: 'Keep uploading' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question(page)).toBeHidden();
  await expect(page.getByText('2 of 3')).toBeVisible();
  await logOut(page);
  await page.getByRole('button', { name: 'Keep uploading' }).click();
  await expect(question(page)).toBeHidden();
  await expect(page.getByText('2 of 3')).toBeVisible();
  await logOut(page);
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/upload'));
  await question(page).getByRole('button', { name: 'Log out' }).click();
  await aborted;
  await expect(toast(page, 'You have been logged out!')).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(tray(page)).toBeHidden();
  await page.getByRole('link', { name: 'Sign In', exact: true }).click();
  await signIn(page, person);
  await expect(page.getByText('No files selected for upload')).toBeVisible();
});

test('logging out on a public page asks before it discards waiting files', async ({ signedInPage: page }) => {
  await openQueue(page);
  await choose(page, 'a.txt');
  await page.getByRole('link', { name: 'Holdfast' }).first().click();
  // Otherwise the menu of the previous page would disappear with it.
  await expect(pageHeading(page)).toHaveText('A link that holds.');
  await logOut(page);
  await expect(question(page)).toHaveAccessibleDescription(
    '1 file in the upload queue would stop, and the queue would be emptied.',
  );
  await page.keyboard.press('Escape');
  await expect(tray(page)).toContainText('1 file waiting');
});

test('logging out with a finished queue needs no confirmation', async ({ page, person }) => {
  await openQueue(page);
  await expect(page.getByRole('banner')).toContainText(person.email);
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(link(page, 'a.txt')).toBeVisible();
  await logOut(page);
  await expect(toast(page, 'You have been logged out!')).toBeVisible();
});

test('deleting the account asks before it stops uploads', async ({ page, person }) => {
  await openQueue(page);
  await choose(page, 'a.txt', 'b.txt');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Delete Account' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
  await page.getByRole('textbox').fill('delete');
  const deleteIt = page.getByRole('main').getByRole('button', { name: 'Permanently delete my account' });
  await deleteIt.click();
  await expect(question(page)).toHaveAccessibleName('Delete the account and stop the uploads?');
  await expect(question(page)).toHaveAccessibleDescription(
    '2 files in the upload queue would stop, and the queue would be emptied.',
  );
  await page.keyboard.press('Escape');
  await expect(question(page)).toBeHidden();
  await expect(deleteIt).toBeEnabled();
  await deleteIt.click();
  await question(page).getByRole('button', { name: 'Permanently delete my account' }).click();
  await expect(toast(page, `Account ${person.email} deleted successfully. You will be logged out.`)).toBeVisible();
  await expect(tray(page)).toBeHidden();
});

test('an ended session stops the batch with one message, and files wait after sign-in', async ({
  page,
  context,
  person,
}) => {
  await openQueue(page);
  const sending = await holdBack(page, uploadCall);
  await choose(page, 'a.txt', 'b.txt', 'c.txt');
  await start(page).click();
  sending.letGo();
  await expect(link(page, 'a.txt')).toBeVisible();
  await context.clearCookies();
  sending.letGo(2);
  await expect(toast(page, 'Your session has ended. Sign in again.')).toHaveCount(1);
  await expect(pageHeading(page)).toHaveText('Sign In');
  await expect(page.getByRole('status').getByText(/upload failed/)).toHaveCount(0);
  await expect(tray(page)).toBeHidden();
  await signIn(page, person);
  await expect(pageHeading(page)).toHaveText('Upload Files');
  await expect(row(page, 'c.txt')).toContainText('Waiting');
  sending.letGo(2);
  await start(page).click();
  await expect(link(page, 'c.txt')).toBeVisible();
  await expect(link(page, 'a.txt')).toBeVisible();
});

test('the next account that signs in does not see the files of the previous one', async ({
  page,
  context,
  person,
  signedOnce,
}) => {
  await openQueue(page);
  await expect(page.getByRole('banner')).toContainText(person.email);
  await choose(page, 'a.txt', 'b.txt');
  await context.clearCookies();
  await start(page).click();
  await expect(pageHeading(page)).toHaveText('Sign In');
  await signIn(page, signedOnce.person);
  await expect(pageHeading(page)).toHaveText('Upload Files');
  await expect(page.getByText('No files selected for upload')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove', exact: true })).toBeDisabled();
});
