import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { toast } from '../harness/screen.ts';
import { signIn } from '../harness/sign-in.ts';
import { expect, test } from '../harness/test.ts';
import { choose, link, openQueue, start, tray, uploadCall } from '../harness/upload-queue.ts';

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
    '2 uploads are not finished. This stops them and clears the queue.',
  );
  await expect(page.getByRole('button', { name: 'Keep uploading' })).toBeFocused();
  await page.keyboard.press('Escape');
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
