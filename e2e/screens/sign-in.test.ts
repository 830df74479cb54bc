import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { checkingSession, errorBox, pageHeading, toast } from '../harness/screen.ts';
import { expect, goodPassword, newEmail, type Person, signUpAndIn, test as base } from '../harness/test.ts';

/** `stranger` has an account but is not signed in. */
const test = base.extend<{ stranger: Person }>({
  stranger: async ({ site, context }, use) => {
    const stranger = await signUpAndIn(site, context);
    await context.clearCookies();
    await use(stranger);
  },
});

const call = '**/api/v3/session/login';
const sessionCheck = '**/api/v3/rest/get-account-info';
const email = (page: Page) => page.getByLabel('Email', { exact: true });
const password = (page: Page) => page.getByLabel('Password', { exact: true });
const submit = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Sign In' });

async function signIn(page: Page, person: Pick<Person, 'email'>, secret = goodPassword) {
  await email(page).fill(person.email);
  await password(page).fill(secret);
  await submit(page).click();
}

test('email and password are required, and an email needs the shape of one', async ({ page }) => {
  await page.goto('/sign-in');
  await expect(submit(page)).toBeDisabled();
  await email(page).fill('kelp@');
  await expect(email(page)).toHaveAccessibleDescription('Enter a valid email address');
  await email(page).fill('');
  await expect(email(page)).toHaveAccessibleDescription('Email is required');
  await password(page).fill('x');
  await password(page).fill('');
  await expect(password(page)).toHaveAccessibleDescription('Password is required');
  await expect(submit(page)).toBeDisabled();
  await email(page).fill('kelp@example.com');
  await password(page).fill('x');
  await expect(submit(page)).toBeEnabled();
});

test('the password can be shown and hidden', async ({ page }) => {
  await page.goto('/sign-in');
  await password(page).fill(goodPassword);
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password(page)).toHaveAttribute('type', 'password');
});

test('a sign-in that the rate limit refuses is repeated', async ({ page, stranger }) => {
  for (const path of ['**/api/v3/session/captcha-challenge*', call]) {
    const error = { code: 'RATE_LIMITED', message: 'Too many requests. Slow down and try again.' };
    const headers = { 'Retry-After': '1' };
    await page.route(path, (route) => route.fulfill({ status: 429, headers, json: { success: false, error } }), {
      times: 1,
    });
  }
  await page.goto('/sign-in');
  await signIn(page, stranger);
  await expect(pageHeading(page)).toHaveText('Upload Files');
});

test('a wrong password is refused beside the form and in a toast, and the form keeps what was typed', async ({
  page,
  stranger,
}) => {
  await page.goto('/sign-in');
  await signIn(page, stranger, 'Wrong-Horse-7');
  await expect(errorBox(page)).toHaveText('E-Mail or password incorrect.');
  await expect(toast(page, 'E-Mail or password incorrect.')).toBeVisible();
  await expect(email(page)).toHaveValue(stranger.email);
  await expect(page).toHaveURL(/\/sign-in$/);
});

test('an address without an account reads like a wrong password', async ({ page }) => {
  await page.goto('/sign-in');
  await signIn(page, { email: newEmail() });
  await expect(errorBox(page)).toHaveText('E-Mail or password incorrect.');
});

test('while it is sent the form rests', async ({ page, stranger }) => {
  const sending = await holdBack(page, call);
  await page.goto('/sign-in');
  await signIn(page, stranger);
  await expect(page.getByRole('button', { name: 'Logging In...' })).toBeDisabled();
  await expect(email(page)).toBeDisabled();
  await expect(password(page)).toBeDisabled();
  sending.letGo();
  await expect(toast(page, 'Login successful!')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText(`Welcome back ${stranger.email}`)).toBeVisible();
});

test('without a connection it says that nothing answered', async ({ page, context }) => {
  await page.goto('/sign-in');
  await email(page).fill('kelp@example.com');
  await password(page).fill(goodPassword);
  await context.setOffline(true);
  await submit(page).click();
  await expect(errorBox(page)).toHaveText('No response from server. Please check your connection.');
});

test('an unverified address goes to the code page, which knows it', async ({ page, site }) => {
  const address = newEmail();
  await page.goto('/sign-up');
  await email(page).fill(address);
  await password(page).fill(goodPassword);
  await page.getByLabel('Confirm password').fill(goodPassword);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL(/\/verify-code$/);

  await page.goto('/sign-in');
  await signIn(page, { email: address });
  await expect(page).toHaveURL(/\/verify-code$/);
  await expect(page.getByText(address)).toBeVisible();
  await page.getByLabel('Verification code').fill(await site.newestCodeFor(address));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
});

test('after a redirect from the dashboard, sign-in leads to the requested page', async ({ page, stranger }) => {
  await page.goto('/dashboard/file-management?column=size');
  await expect(page).toHaveURL(/\/sign-in$/);
  await signIn(page, stranger);
  await expect(page).toHaveURL(/\/dashboard\/file-management\?column=size$/);
  await expect(pageHeading(page)).toHaveText('File Management');
});

test('the way back from the dashboard does not lead through sign-in', async ({ page, stranger }) => {
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await expect(pageHeading(page)).toHaveText('Sign In');
  await signIn(page, stranger);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

for (const path of ['/sign-up', '/sign-in', '/forget-password', '/verify-code', '/reset-password']) {
  test(`someone signed in has no business at ${path}`, async ({ signedInPage: page }) => {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(pageHeading(page)).toHaveText('Upload Files');
  });
}

test('Logout ends the session and leads home', async ({ page, person }) => {
  await page.goto('/dashboard/account-info');
  await expect(page.getByText(`Welcome back ${person.email}`)).toBeVisible();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(toast(page, 'You have been logged out!')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/sign-in$/);
});

test('while the session is checked the whole page says so', async ({ signedInPage: page }) => {
  const checking = await holdBack(page, sessionCheck);
  await page.goto('/dashboard');
  await expect(checkingSession(page)).toBeVisible();
  checking.letGo();
  await expect(pageHeading(page)).toHaveText('Upload Files');
  await expect(checkingSession(page)).toBeHidden();
});

test('a session check that fails counts as signed out', async ({ signedInPage: page }) => {
  await page.route(sessionCheck, (route) => route.fulfill({ status: 403, json: { success: false } }));
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(pageHeading(page)).toHaveText('Sign In');
});

test('the ways on for a forgotten password and for newcomers', async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot Password?' }).click();
  await expect(page).toHaveURL(/\/forget-password$/);
  await page.goBack();
  await page.getByRole('main').getByRole('link', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL(/\/sign-up$/);
});
