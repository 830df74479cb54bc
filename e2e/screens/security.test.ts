import type { Browser, Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { expect, goodPassword, type Person, test } from '../harness/test.ts';

const changeCall = '**/api/v3/session/change-password';
const sessionsCall = '**/api/v3/session/get-sessions';
const newPassword = 'Battery-Staple-8';
const oldField = (page: Page) => page.getByLabel('Old password', { exact: true });
const newField = (page: Page) => page.getByLabel('New password', { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save & Update' });
const sessions = (page: Page) => page.getByRole('list', { name: 'Where you are signed in' }).getByRole('listitem');
const revokeOthers = (page: Page) => page.getByRole('button', { name: 'Revoke all others' });

async function change(page: Page, from: string, to: string) {
  await oldField(page).fill(from);
  await newField(page).fill(to);
  await save(page).click();
}

/** Signs in the same user in another browser. */
async function signInElsewhere(browser: Browser, baseURL: string | undefined, { email }: Person, userAgent: string) {
  const context = await browser.newContext({ userAgent, ...(baseURL !== undefined && { baseURL }) });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  await expect(pageHeading(page)).toHaveText('Upload Files');
  return page;
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

test('old and new password are validated at every keystroke', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/security');
  await expect(save(page)).toBeDisabled();
  await oldField(page).fill('kelp');
  await expect(oldField(page)).toHaveAccessibleDescription('Old password must be at least 6 characters');
  await oldField(page).fill('');
  await expect(oldField(page)).toHaveAccessibleDescription('Old password is required');
  const messages = {
    short: 'Password must be at least 8 characters',
    'all-lower-case-7': 'Must include uppercase, lowercase, and a number',
    '': 'New password is required',
  };
  for (const [typed, message] of Object.entries(messages)) {
    await newField(page).fill(typed);
    await expect(newField(page)).toHaveAccessibleDescription(message);
  }
  await newField(page).fill(newPassword);
  await expect(save(page)).toBeDisabled();
  await oldField(page).fill('sixsix');
  await expect(save(page)).toBeEnabled();
});

test('each password can be shown and hidden', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/security');
  for (const field of [oldField(page), newField(page)]) {
    await expect(field).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Show password' }).first().click();
    await expect(field).toHaveAttribute('type', 'text');
  }
  await page.getByRole('button', { name: 'Hide password' }).first().click();
  await expect(oldField(page)).toHaveAttribute('type', 'password');
});

test('a wrong old password is refused beside the form and in a toast', async ({ page, person }) => {
  await page.goto('/dashboard/security');
  await expect(page.getByText(`Welcome back ${person.email}`)).toBeVisible();
  await change(page, 'Wrong-Horse-7', newPassword);
  await expect(errorBox(page)).toHaveText('That old password is incorrect.');
  await expect(toast(page, 'That old password is incorrect.')).toBeVisible();
  await expect(newField(page)).toHaveValue(newPassword);
});

test('a new password clears the form, keeps this browser and ends the others', async ({
  page,
  person,
  browser,
  baseURL,
}) => {
  const elsewhere = await signInElsewhere(browser, baseURL, person, firefox);
  const sending = await holdBack(page, changeCall);
  await page.goto('/dashboard/security');
  await expect(sessions(page)).toHaveCount(2);
  await change(page, goodPassword, newPassword);
  await expect(page.getByRole('button', { name: 'Updating Password...' })).toBeDisabled();
  await expect(oldField(page)).toBeDisabled();
  await expect(newField(page)).toBeDisabled();
  sending.letGo();
  await expect(toast(page, 'Password updated successfully')).toBeVisible();
  await expect(oldField(page)).toHaveValue('');
  await expect(newField(page)).toHaveValue('');
  await expect(save(page)).toBeDisabled();
  await expect(sessions(page)).toHaveCount(1);
  await page.reload();
  await expect(pageHeading(page)).toHaveText('Security');
  await elsewhere.reload();
  await expect(pageHeading(elsewhere)).toHaveText('Sign In');
  await elsewhere.context().close();
});

test('a failure without words asks to try again', async ({ signedInPage: page }) => {
  await page.route(changeCall, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await page.goto('/dashboard/security');
  await change(page, goodPassword, newPassword);
  await expect(errorBox(page)).toHaveText('Something went wrong, please try again.');
  await expect(toast(page, 'Something went wrong, please try again.')).toBeVisible();
});

test('one session can be revoked, or all but this one', async ({ page, person, browser, baseURL }) => {
  const onFirefox = await signInElsewhere(browser, baseURL, person, firefox);
  const onPhone = await signInElsewhere(browser, baseURL, person, iPhone);
  const again = await signInElsewhere(browser, baseURL, person, iPhone);
  await page.goto('/dashboard/security');
  await expect(sessions(page)).toHaveCount(4);
  const here = sessions(page).filter({ hasText: 'This browser' });
  await expect(here).toHaveCount(1);
  await expect(here.getByRole('button')).toHaveCount(0);
  await expect(here).toContainText(/10\.\d+\.\d+\.\d+/);
  await expect(here).toContainText('seen just now');

  await page.getByRole('button', { name: /^Revoke .*Firefox/ }).click();
  await expect(toast(page, 'Session revoked')).toBeVisible();
  await expect(sessions(page)).toHaveCount(3);
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeFocused();
  await onFirefox.reload();
  await expect(pageHeading(onFirefox)).toHaveText('Sign In');
  await onPhone.reload();
  await expect(pageHeading(onPhone)).toHaveText('Upload Files');

  await revokeOthers(page).click();
  await expect(toast(page, '2 sessions revoked')).toBeVisible();
  await expect(sessions(page)).toHaveCount(1);
  await expect(revokeOthers(page)).toBeHidden();
  await onPhone.reload();
  await expect(pageHeading(onPhone)).toHaveText('Sign In');
  await page.reload();
  await expect(pageHeading(page)).toHaveText('Security');
  for (const other of [onFirefox, onPhone, again]) await other.context().close();
});

test('a session of which no address is known begins with when it was seen', async ({ signedInPage: page }) => {
  await page.route(sessionsCall, async (route) => {
    const answer = (await (await route.fetch()).text()).replace(/"address":"[^"]*"/g, '"address":""');
    await route.fulfill({ body: answer });
  });
  await page.goto('/dashboard/security');
  // Matches the whole text: no placeholder takes the place of the address.
  await expect(sessions(page).first()).toHaveText(/This browserseen just nowsigned in (just now|\d+ minutes? ago)$/);
});

test('a password is typed on while a revocation ends', async ({ page, person, browser, baseURL }) => {
  const elsewhere = await signInElsewhere(browser, baseURL, person, firefox);
  const ending = await holdBack(page, '**/api/v3/session/end-sessions');
  await page.goto('/dashboard/security');
  await page.getByRole('button', { name: /^Revoke .*Firefox/ }).click();
  await oldField(page).pressSequentially('Kelp-');
  ending.letGo();
  await expect(sessions(page)).toHaveCount(1);
  await expect(toast(page, 'Session revoked')).toBeVisible();
  await page.keyboard.type('Forest-9');
  await expect(oldField(page)).toHaveValue('Kelp-Forest-9');
  await elsewhere.context().close();
});

test('a session that cannot be revoked stays, and says so', async ({ page, person, browser, baseURL }) => {
  const elsewhere = await signInElsewhere(browser, baseURL, person, firefox);
  await page.route('**/api/v3/session/end-sessions', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await page.goto('/dashboard/security');
  await page.getByRole('button', { name: /^Revoke .*Firefox/ }).click();
  await expect(toast(page, 'Failed to revoke the session')).toBeVisible();
  await expect(sessions(page)).toHaveCount(2);
  await elsewhere.context().close();
});

test('sessions that cannot be loaded can be asked for again', async ({ signedInPage: page }) => {
  const refusal = { success: false, error: { code: 'INVALID_INPUT', message: 'Not today.' } };
  await page.route(sessionsCall, (route) => route.fulfill({ status: 400, json: refusal }), { times: 1 });
  await page.goto('/dashboard/security');
  await expect(errorBox(page)).toContainText('The sessions could not be loaded');
  await expect(errorBox(page)).toContainText('Not today.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(sessions(page).filter({ hasText: 'This browser' })).toHaveCount(1);
  await expect(errorBox(page)).toBeHidden();
});

test('while the sessions load it says so', async ({ signedInPage: page }) => {
  const loading = await holdBack(page, sessionsCall);
  await page.goto('/dashboard/security');
  await expect(page.getByText('Loading sessions...')).toBeAttached();
  loading.letGo();
  await expect(sessions(page).first()).toBeVisible();
  await expect(page.getByText('Loading sessions...')).not.toBeAttached();
});
