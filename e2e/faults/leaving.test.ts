/** After a logout or a deletion no account data remains in the browser, regardless of the user's next step. */
import type { Page } from '@playwright/test';
import { holdBack, holdBackAnswers, holdBackCookies } from '../harness/hold-back.ts';
import { loggedOut, logOut, logoutCall, logoutNote } from '../harness/log-out.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { tellOfAnotherSession } from '../harness/second-tab.ts';
import { loginCall, signIn } from '../harness/sign-in.ts';
import { passTimeUntil, soon, stopClock } from '../harness/stop-clock.ts';
import { expect, test } from '../harness/test.ts';
import { choose, link, openQueue, row, start, tray } from '../harness/upload-queue.ts';

const ended = 'Your session has ended. Sign in again.';

/** Status of a call with the session that the browser has now, even after the browser has lost it. */
async function keepSession(page: Page): Promise<() => Promise<number>> {
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const url = new URL('/api/v3/rest/get-account-info', page.url());
  return async () => (await fetch(url, { headers: { cookie } })).status;
}

async function expectSignedOut(page: Page, email: string) {
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
  await expect(page.getByText(email)).toHaveCount(0);
}

test('a slow logout clears the account from the page at once', async ({ page, person }) => {
  await openQueue(page);
  await choose(page, 'kelp.txt');
  await expect(row(page, 'kelp.txt')).toBeVisible();
  // Until the page can show its own dialog, the dialog of the browser is shown.
  await expect(page.locator('dialog[aria-describedby]')).toBeAttached();
  const ending = await holdBackAnswers(page, '*/session/logout');
  const agree = page.getByRole('dialog').getByRole('button', { name: 'Log out' });
  // The menu closes when the focus leaves it, which adding files may move at this moment.
  await expect(async () => {
    const item = page.getByRole('button', { name: 'Logout' });
    if (!(await item.isVisible())) await page.getByRole('button', { name: 'Account menu' }).click({ timeout: 1000 });
    await item.click({ timeout: 1000 });
    await expect(agree).toBeVisible({ timeout: 1000 });
  }).toPass();
  await agree.click();
  await expect(toast(page, 'Logging out...')).toBeVisible();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expectSignedOut(page, person.email);
  await expect(tray(page)).toBeHidden();
  ending.letGo();
  await expect(toast(page, loggedOut)).toBeVisible();
  await expect(page.getByText(ended)).toHaveCount(0);
  await page.goBack();
  await expect(pageHeading(page)).toHaveText('Sign In');
  await expectSignedOut(page, person.email);
});

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
  const ending = await holdBack(page, '**/session/logout');
  await page.getByRole('dialog').getByRole('button', { name: 'Permanently delete my account' }).click();
  await expect(toast(page, `Account ${person.email} deleted successfully. You will be logged out.`)).toBeVisible();
  const refused = page.waitForResponse('**/get-account-info');
  await page.clock.fastForward(6000);
  expect((await refused).status()).toBe(401);
  await page.clock.resume();
  await expect(pageHeading(page)).toHaveText('Delete Account');
  ending.letGo();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByText(ended)).toHaveCount(0);
});

test('a logout without a connection clears the page at once, and ends the session when the connection returns', async ({
  page,
  person,
  context,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await choose(page, 'kelp.txt');
  await expect(row(page, 'kelp.txt')).toBeVisible();
  // Until the page can show its own dialog, the dialog of the browser is shown.
  await expect(page.locator('dialog[aria-describedby]')).toBeAttached();
  const statusOfSession = await keepSession(page);
  await context.setOffline(true);
  await logOut(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await expect(logoutNote(page)).toBeVisible();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expectSignedOut(page, person.email);
  expect(await statusOfSession()).toBe(200);
  await page.goBack();
  await expect(page).toHaveURL(/\/sign-in$/);
  await expectSignedOut(page, person.email);
  await context.setOffline(false);
  await expect(toast(page, loggedOut)).toBeVisible();
  await expect(logoutNote(page)).toBeHidden();
  expect(await statusOfSession()).toBe(401);
  await expectSignedOut(page, person.email);
});

test('without a connection the home page opens after a logout even if its script is missing', async ({
  page,
  person,
  context,
}) => {
  await page.goto('/dashboard/account-info');
  await expect(page.getByRole('main').getByText(person.email)).toBeVisible();
  await context.setOffline(true);
  await logOut(page);
  await expect(page).toHaveURL(/:\d+\/$/);
  await expectSignedOut(page, person.email);
  await expect(page.getByText('The server did not respond. Check your connection and try again.')).toBeVisible();
});

test('after an interrupted logout no account is shown, and the next page finishes it', async ({
  page,
  person,
  context,
}) => {
  await page.goto('/dashboard/account-info');
  const statusOfSession = await keepSession(page);
  await context.route('**/session/logout', () => {});
  await context.route('**/session/repeat-logout', (route) => route.abort());
  await logOut(page);
  await expect(toast(page, 'Logging out...')).toBeVisible();
  await page.goto('about:blank');
  await page.goto('/dashboard/account-info');
  await expect(pageHeading(page)).toHaveText('Sign In');
  await expectSignedOut(page, person.email);
  const next = await context.newPage();
  await page.close();
  await context.unroute('**/session/repeat-logout');
  const repeated = next.waitForResponse(logoutCall, { timeout: 10_000 });
  await next.goto('/dashboard/account-info');
  await expect(pageHeading(next)).toHaveText('Sign In');
  await expectSignedOut(next, person.email);
  expect((await repeated).status()).toBe(200);
  expect(await statusOfSession()).toBe(401);
});

test('a sign-in replaces a session whose logout fails, even without storage', async ({ page, person }) => {
  await page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('forbidden', 'SecurityError');
      },
    }),
  );
  await page.goto('/dashboard/account-info');
  const statusOfSession = await keepSession(page);
  await page.route(logoutCall, (route) => route.abort());
  await logOut(page);
  await expect(logoutNote(page)).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await signIn(page, person);
  await expect(pageHeading(page)).toHaveText('Upload Files');
  expect(await statusOfSession()).toBe(401);
  await page.unroute(logoutCall);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(logoutNote(page)).toBeHidden();
  await expect(toast(page, loggedOut)).toBeHidden();
  await page.reload();
  await expect(page.getByRole('banner')).toContainText(person.email);
});

test('late responses to a logout that two tabs repeat do not end the next session', async ({
  page,
  person,
  context,
}) => {
  const other = await context.newPage();
  const tabs = [page, other];
  for (const tab of tabs) {
    await tab.goto('/dashboard/account-info');
    await expect(tab.getByRole('main').getByText(person.email)).toBeVisible();
  }
  const statusOfSession = await keepSession(page);
  await context.route(logoutCall, (route) => route.abort());
  await logOut(page);
  await expect(pageHeading(other)).toHaveText('Sign In');
  for (const tab of tabs) {
    await expect(logoutNote(tab)).toBeVisible();
    await expectSignedOut(tab, person.email);
  }
  await context.unroute(logoutCall);
  const [ending, endingToo] = [await holdBackCookies(page, logoutCall), await holdBackCookies(other, logoutCall)];
  for (const tab of tabs) {
    const sent = tab.waitForRequest(logoutCall);
    await tab.evaluate(() => window.dispatchEvent(new Event('online')));
    await sent;
  }
  await expect.poll(statusOfSession).toBe(401);
  ending.letGo(9);
  await expect(toast(page, loggedOut)).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await signIn(page, person);
  await expect(pageHeading(page)).toHaveText('Upload Files');
  const late = other.waitForEvent('requestfinished', (request) => request.url().endsWith('logout'));
  endingToo.letGo(9);
  await late;
  for (const tab of tabs) {
    await expect(tab.getByRole('banner')).toContainText(person.email);
    await tab.reload();
    await expect(tab.getByRole('banner')).toContainText(person.email);
    await expect(logoutNote(tab)).toBeHidden();
  }
});

test('a sign-in in another tab waits for the response to a logout', async ({ page, person, context }) => {
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto('/dashboard/account-info');
    await expect(tab.getByRole('main').getByText(person.email)).toBeVisible();
  }
  const ending = await holdBackCookies(page, logoutCall);
  await logOut(page);
  await expect(pageHeading(other)).toHaveText('Sign In');
  // Without the wait it would be done by then.
  const signedIn = other.waitForResponse(loginCall, { timeout: 2000 }).catch(() => undefined);
  await signIn(other, person);
  expect(await signedIn).toBeUndefined();
  ending.letGo();
  await expect(toast(page, loggedOut)).toBeVisible();
  await expect(pageHeading(other)).toHaveText('Account Info');
  await other.reload();
  await expect(other.getByRole('main').getByText(person.email)).toBeVisible();
});
