import type { Browser, Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { expect, type Keyboard, keyboardOf, test } from '../harness/keyboard.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { goodPassword, type Person } from '../harness/test.ts';

const newPassword = 'Battery-Staple-8';
const sessionsCall = '**/api/v3/session/get-sessions';
const button = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name, exact: true });
const oldField = (page: Page) => page.getByLabel('Old password', { exact: true });
const newField = (page: Page) => page.getByLabel('New password', { exact: true });
const sessions = (page: Page) => page.getByRole('list', { name: 'Where you are signed in' }).getByRole('listitem');
const word = (page: Page) => page.getByLabel("Type 'delete' to confirm");
/** The warning shown before the button does anything. */
const losses = (page: Page) => page.getByText('the account with its settings and its API key');

async function open(page: Page, path: string, heading: string) {
  await page.goto(path);
  await expect(pageHeading(page)).toHaveText(heading);
}

/** Signs in the same user in another browser, also with only a keyboard. */
async function signInElsewhere(browser: Browser, baseURL: string | undefined, { email }: Person) {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const page = await context.newPage();
  const keyboard = keyboardOf(page);
  await open(page, '/sign-in', 'Sign In');
  await keyboard.tabTo(page.getByLabel('Email', { exact: true }));
  await keyboard.type(email);
  await keyboard.tabTo(page.getByLabel('Password', { exact: true }));
  await keyboard.type(goodPassword);
  await page.keyboard.press('Enter');
  await expect(pageHeading(page)).toHaveText('Upload Files');
  return context;
}

test('the API key is shown on focus, and Enter copies it', async ({ page, person, context, keyboard }) => {
  const key = button(page, /^Copy API key/);
  await open(page, '/dashboard/account-info', 'Account Info');
  await keyboard.tabTo(key);
  await expect(key).toContainText(person.apiKey);
  await keyboard.press('Enter');
  await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
  await keyboard.expectAt(key);
  await context.grantPermissions(['clipboard-read']);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(person.apiKey);
  await keyboard.press('Shift+Tab');
  await expect(key).not.toContainText(person.apiKey);
});

test('the focus is visible after a blocked copy of the API key', async ({ page, person, keyboard }) => {
  await open(page, '/dashboard/account-info', 'Account Info');
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    document.execCommand = () => false;
  });
  await keyboard.tabTo(button(page, /^Copy API key/));
  await keyboard.press('Enter');
  await expect(page.getByRole('main').getByText(person.apiKey)).toBeVisible();
  await keyboard.expectFocusVisible();
});

test('a password can be shown, refused and changed by keyboard', async ({ page, person, keyboard }) => {
  await open(page, '/dashboard/security', 'Security');
  await expect(page.getByText(`Welcome back ${person.email}`)).toBeVisible();
  await keyboard.tabTo(oldField(page));
  await keyboard.type('Wrong-Horse-7');
  await showAndHide(page, keyboard);
  await keyboard.tabTo(newField(page));
  await keyboard.type(newPassword);
  await showAndHide(page, keyboard);
  await keyboard.press('Tab');
  await keyboard.expectAt(page.getByRole('checkbox', { name: 'Also change my API key' }));
  await keyboard.press('Tab');
  await keyboard.expectAt(button(page, 'Save & Update'));
  await keyboard.press('Enter');
  await expect(errorBox(page)).toHaveText('That old password is incorrect.');
  await keyboard.expectFocusVisible();
  await keyboard.press('Tab');
  await keyboard.expectAt(oldField(page));
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type(goodPassword);
  await keyboard.press('Enter');
  await expect(toast(page, 'Password updated successfully')).toBeVisible();
  await expect(oldField(page)).toHaveValue('');
  await keyboard.expectFocusVisible();
});

async function showAndHide(page: Page, keyboard: Keyboard) {
  await keyboard.press('Tab');
  await keyboard.expectAt(button(page, 'Show password').and(page.locator(':focus')));
  await keyboard.press('Space');
  await keyboard.expectAt(button(page, 'Hide password'));
  await keyboard.press('Enter');
  await expect(button(page, 'Hide password')).toHaveCount(0);
}

test('sessions can be revoked, and the focus moves to the heading above them', async ({
  page,
  person,
  browser,
  baseURL,
  keyboard,
}) => {
  const others = [];
  for (let other = 0; other < 3; other += 1) others.push(await signInElsewhere(browser, baseURL, person));
  const heading = page.getByRole('heading', { name: 'Where you are signed in' });
  await open(page, '/dashboard/security', 'Security');
  await expect(sessions(page)).toHaveCount(4);
  await keyboard.tabTo(button(page, /^Revoke (?!all)/).last());
  await keyboard.press('Enter');
  await expect(sessions(page)).toHaveCount(3);
  await keyboard.expectAt(heading);
  await keyboard.tabTo(button(page, 'Revoke all others'));
  await keyboard.press('Space');
  await expect(sessions(page)).toHaveCount(1);
  await keyboard.expectAt(heading);
  for (const other of others) await other.close();
});

test('sessions that failed to load can be loaded again, and the focus is visible', async ({
  signedInPage: page,
  keyboard,
}) => {
  await page.route(sessionsCall, (route) => route.fulfill({ status: 400, json: { success: false } }));
  await open(page, '/dashboard/security', 'Security');
  await keyboard.tabTo(button(page, 'Try again'));
  await page.unroute(sessionsCall);
  await keyboard.press('Enter');
  await expect(sessions(page).first()).toBeVisible();
  await keyboard.expectFocusVisible();
});

test('a new API key is generated, shown and copied', async ({ page, person, context, keyboard }) => {
  const generating = await holdBack(page, '**/api/v3/session/change-api-key');
  await open(page, '/dashboard/change-api', 'Change API');
  await keyboard.tabTo(button(page, 'Generate new API key'));
  await keyboard.press('Enter');
  await expect(button(page, 'Generating new API key...')).toBeVisible();
  await keyboard.expectFocusVisible();
  generating.letGo();
  await keyboard.expectAt(page.getByRole('heading', { name: 'Your new API key' }));
  await keyboard.press('Tab');
  await keyboard.expectAt(button(page, 'Copy API key'));
  await keyboard.press('Enter');
  await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
  await keyboard.expectAt(button(page, 'Copy API key'));
  await context.grantPermissions(['clipboard-read']);
  expect(await page.evaluate(() => navigator.clipboard.readText())).not.toBe(person.apiKey);
  await keyboard.press('Tab', 'Enter');
  await expect(pageHeading(page)).toHaveText('Account Info');
  await keyboard.expectAt(pageHeading(page));
});

test('a failed key change leaves the focus on its button', async ({ signedInPage: page, keyboard }) => {
  await page.route('**/api/v3/session/change-api-key', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await open(page, '/dashboard/change-api', 'Change API');
  await keyboard.tabTo(button(page, 'Generate new API key'));
  await keyboard.press('Enter');
  await expect(errorBox(page)).toBeVisible();
  await keyboard.expectAt(button(page, 'Generate new API key'));
});

test("an account is deleted after the word 'delete', and not after Cancel", async ({
  page,
  person,
  site,
  keyboard,
}) => {
  const begin = button(page, 'Delete Account');
  const deleting = await holdBack(page, '**/api/v3/session/delete-account');
  await open(page, '/dashboard/delete-account', 'Delete Account');
  await keyboard.tabTo(begin);
  await keyboard.press('Space');
  await keyboard.expectAt(word(page));
  // Until the files are counted, the form cannot be submitted.
  await expect(losses(page)).toBeVisible();
  await keyboard.press('Enter');
  await expect(word(page)).toHaveAccessibleDescription("Please type 'delete' to confirm");
  await keyboard.expectAt(word(page));
  await keyboard.type('delete');
  await keyboard.tabTo(button(page, 'Cancel'));
  await keyboard.press('Enter');
  await expect(word(page)).toBeHidden();
  await keyboard.expectAt(begin);
  await keyboard.press('Enter');
  await keyboard.expectAt(word(page));
  await keyboard.type('delete');
  await keyboard.press('Tab');
  await keyboard.expectAt(button(page, 'Permanently delete my account'));
  await expect(losses(page)).toBeVisible();
  await keyboard.press('Enter');
  await expect(button(page, 'Deleting...')).toBeVisible();
  await keyboard.expectFocusVisible();
  await stopClock(page);
  deleting.letGo();
  await expect(toast(page, `Account ${person.email} deleted successfully. You will be logged out.`)).toBeVisible();
  // The page remains for a second so that the user can read the result.
  await keyboard.expectFocusVisible();
  await page.clock.runFor(1000);
  await expect(page).toHaveURL(/:\d+\/$/);
  await keyboard.expectAt(pageHeading(page));
  const gone = await fetch(`${site.url}/api/v3/rest/get-account-info`, { headers: { 'X-API-Key': person.apiKey } });
  expect(gone.status).toBe(401);
});

test('the focus is visible after a failed deletion of the account', async ({ signedInPage: page, keyboard }) => {
  await page.route('**/api/v3/session/delete-account', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await open(page, '/dashboard/delete-account', 'Delete Account');
  await keyboard.tabTo(button(page, 'Delete Account'));
  await keyboard.press('Enter');
  await keyboard.type('delete');
  await expect(losses(page)).toBeVisible();
  await keyboard.press('Enter');
  await expect(errorBox(page)).toBeVisible();
  await keyboard.expectFocusVisible();
});
