/** After a logout or a deletion no account data remains in the browser, regardless of the user's next step. */
import type { Page } from '@playwright/test';
import { holdBack, holdBackAnswers } from '../harness/hold-back.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { tellOfAnotherSession } from '../harness/second-tab.ts';
import { passTimeUntil, soon, stopClock } from '../harness/stop-clock.ts';
import { expect, test } from '../harness/test.ts';
import { choose, link, openQueue, start } from '../harness/upload-queue.ts';

const loggedOut = 'You have been logged out!';

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
}

const ended = 'Your session has ended. Sign in again.';

async function expectSignedOut(page: Page, email: string) {
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
  await expect(page.getByText(email)).toHaveCount(0);
}

test('a response that arrives after a logout does not show the account again', async ({ page, person }) => {
  await page.goto('/dashboard/account-info');
  await expect(page.getByRole('main').getByText(person.email)).toBeVisible();
  await stopClock(page);
  const accounts = await holdBackAnswers(page, '*/get-account-info');
  const asked = page.waitForRequest('**/get-account-info');
  await tellOfAnotherSession(page);
  await asked;
  await logOut(page);
  await expect(toast(page, loggedOut)).toBeVisible();
  accounts.letGo(20);
  await page.clock.runFor(60_000);
  await expectSignedOut(page, person.email);
  await expect(page.getByText(ended)).toHaveCount(0);
});

test('deleting the account during an upload shows no message about the ended session', async ({ page, person }) => {
  await openQueue(page);
  await stopClock(page);
  await choose(page, 'kelp.txt', 'reef.txt');
  // The second file keeps the batch running, so that data changed by the first one is refetched later.
  let files = 0;
  await page.route('**/api/v3/upload', (route) => ((files += 1) === 1 ? route.continue() : undefined));
  await start(page).click();
  await passTimeUntil(page, 100, () => expect(link(page, 'kelp.txt')).toBeVisible(soon));
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Delete Account' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
  await page.getByLabel("Type 'delete' to confirm").fill('delete');
  const confirm = page.getByRole('button', { name: 'Permanently delete my account' });
  await passTimeUntil(page, 100, () => expect(confirm).toBeEnabled(soon));
  await confirm.click();
  // Nothing waits for this call, which may take until the time-out.
  await holdBack(page, '**/session/logout');
  await page.getByRole('dialog').getByRole('button', { name: 'Permanently delete my account' }).click();
  await expect(toast(page, `Account ${person.email} deleted successfully. You will be logged out.`)).toBeVisible();
  await expect(pageHeading(page)).toHaveText('Delete Account');
  await page.clock.runFor(1000);
  await expect(page).toHaveURL(/:\d+\/$/);
  await page.clock.runFor(60_000);
  await expectSignedOut(page, person.email);
  await expect(page.getByText(ended)).toHaveCount(0);
});

test('a logout without a connection forgets the account and says that the session is open', async ({
  signedInPage: page,
}) => {
  await page.goto('/dashboard');
  await page.route('**/session/logout', (route) => route.abort());
  await logOut(page);
  await expect(toast(page, notReached)).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
});

const notReached =
  'The server could not be reached, so your session is still open in this browser. Log out again when you are online.';
