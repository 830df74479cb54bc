/** Tests each screen when a call gets no response, or a response that does not come from our server. */
import type { Page, Route } from '@playwright/test';
import { outlastRetries } from '../harness/outlast-retries.ts';
import { loggedOut, logOut, logoutCall, logoutNote } from '../harness/log-out.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { spoilCall } from '../harness/spoil-call.ts';
import { passTimeUntil, soon, stopClock } from '../harness/stop-clock.ts';
import { expect, goodPassword, test } from '../harness/test.ts';

const silence = 'No response from server. Please check your connection.';
const accountCall = '**/get-account-info';
const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true });

/** The response of a proxy in place of the server. */
const html = (status: number) => (route: Route) =>
  route.fulfill({ status, contentType: 'text/html', body: `<h1>${status}</h1><p>nginx</p>` });

const failures = [
  { how: 'no response', answer: (route: Route) => route.abort(), words: silence },
  {
    how: 'a 502 in HTML',
    answer: html(502),
    words: 'The server sent an unreadable response (status 502). Try again later.',
  },
  { how: 'a 429 in HTML', answer: html(429), words: 'Too many requests. Wait a moment and try again.' },
] as const;

for (const { how, answer, words } of failures) {
  test(`settings that get ${how} show an error, and Try again loads them`, async ({ signedInPage: page }) => {
    const call = '**/get-account-settings';
    await page.clock.install();
    await page.route(call, answer);
    await outlastRetries(page, call, () => page.goto('/dashboard/general'));
    await expect(errorBox(page)).toContainText('The settings could not be loaded');
    await expect(errorBox(page)).toContainText(words);
    await page.unroute(call);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('switch', { name: 'Include Extensions' })).toBeVisible();
  });

  test(`sessions that get ${how} show an error beside a usable password form`, async ({ signedInPage: page }) => {
    const call = '**/get-sessions';
    await page.clock.install();
    await page.route(call, answer);
    await outlastRetries(page, call, () => page.goto('/dashboard/security'));
    await expect(errorBox(page)).toContainText('The sessions could not be loaded');
    await expect(errorBox(page)).toContainText(words);
    await expect(page.getByLabel('Old password')).toBeEnabled();
    await page.unroute(call);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('This browser')).toBeVisible();
  });

  test(`a setting that gets ${how} is reverted`, async ({ signedInPage: page }) => {
    await page.goto('/dashboard/general');
    await page.route('**/set-account-settings', answer);
    const extensions = page.getByRole('switch', { name: 'Include Extensions' });
    await extensions.click();
    await expect(toast(page, 'Failed to update settings')).toBeVisible();
    await expect(extensions).toBeChecked();
  });

  test(`a new password that gets ${how} is kept in the form`, async ({ signedInPage: page }) => {
    await page.goto('/dashboard/security');
    await page.route('**/change-password', answer);
    await page.getByLabel('Old password').fill(goodPassword);
    await page.getByLabel('New password').fill('Battery-Staple-8');
    await page.getByRole('button', { name: 'Save & Update' }).click();
    await expect(toast(page, 'Something went wrong, please try again.')).toBeVisible();
    await expect(errorBox(page)).toHaveText('Something went wrong, please try again.');
    await expect(page.getByLabel('New password')).toHaveValue('Battery-Staple-8');
    await expect(page.getByRole('button', { name: 'Save & Update' })).toBeEnabled();
  });

  test(`a new API key that gets ${how} can be requested again`, async ({ signedInPage: page }) => {
    await page.goto('/dashboard/change-api');
    await page.route('**/change-api-key', answer);
    await page.getByRole('button', { name: 'Generate new API key' }).click();
    await expect(toast(page, 'Failed to change API key')).toBeVisible();
    await expect(errorBox(page)).toHaveText('Failed to change API key. Please try again.');
    await expect(page.getByRole('button', { name: 'Generate new API key' })).toBeEnabled();
  });

  test(`an account deletion that gets ${how} shows an error and can be retried`, async ({ signedInPage: page }) => {
    await page.goto('/dashboard/delete-account');
    await page.route('**/delete-account', (route) =>
      route.request().method() === 'DELETE' ? answer(route) : route.continue(),
    );
    await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
    await page.getByRole('main').getByRole('textbox').fill('delete');
    await page.getByRole('button', { name: 'Permanently delete my account' }).click();
    await expect(toast(page, 'Failed to delete account')).toBeVisible();
    await expect(errorBox(page)).toHaveText('Failed to delete account. Please try again.');
    await expect(page.getByRole('button', { name: 'Permanently delete my account' })).toBeEnabled();
  });

  test(`a logout that gets ${how} is sent again until it succeeds`, async ({ page, person }) => {
    await page.goto('/dashboard/account-info');
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();
    await stopClock(page);
    const logout = await spoilCall(page, logoutCall, answer);
    await logOut(page);
    await expect(logoutNote(page), person.email).toBeVisible();
    logout.mend();
    await passTimeUntil(page, 500, () => expect(toast(page, loggedOut)).toBeVisible(soon));
  });
}

for (const path of ['/dashboard/account-info', '/dashboard/plan-info', '/dashboard/usage', '/dashboard/settings']) {
  test(`${path} leads to sign-in while the server does not respond, and back afterwards`, async ({
    signedInPage: page,
  }) => {
    await page.clock.install();
    const account = await spoilCall(page, accountCall, (route) => route.abort());
    await outlastRetries(page, accountCall, () => page.goto(path));
    await expect(pageHeading(page)).toHaveText('Sign In');
    account.mend();
    await page.evaluate(() => window.dispatchEvent(new Event('offline')));
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.clock.runFor(10_000);
    await expect(page).toHaveURL(path);
  });
}

test('known account data is kept on the screen if it cannot be refreshed', async ({ signedInPage: page, regular }) => {
  await page.clock.install();
  await page.goto('/dashboard');
  await expect(pageHeading(page)).toHaveText('Upload Files');
  await page.clock.runFor(60_000);
  await page.route(accountCall, (route) => route.abort());
  await outlastRetries(page, accountCall, () => entry(page, 'Plan Info').click());
  await expect(page.getByRole('main')).toContainText('500.00 MB');
  await entry(page, 'Account Info').click();
  await expect(page.getByRole('main')).toContainText(regular.email);
});
