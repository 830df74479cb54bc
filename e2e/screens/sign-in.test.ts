import { emailField, passwordField } from '../harness/credentials.ts';
import { holdBack } from '../harness/hold-back.ts';
import { errorBox, toast } from '../harness/screen.ts';
import { loginCall, signIn, signInButton } from '../harness/sign-in.ts';
import { test } from '../harness/stranger.ts';
import { expect } from '../harness/test.ts';
import { signUpForCode } from '../harness/verify-code-screen.ts';

test('the form checks its fields, refuses a wrong password, and is disabled while it is sent', async ({
  page,
  stranger,
}) => {
  const sending = await holdBack(page, loginCall);
  await page.goto('/dashboard/file-management?column=size');
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(signInButton(page)).toBeDisabled();
  await emailField(page).fill('kelp@');
  await expect(emailField(page)).toHaveAccessibleDescription('Enter a valid email address');
  await emailField(page).fill('');
  await expect(emailField(page)).toHaveAccessibleDescription('Email is required');
  await passwordField(page).fill('x');
  await passwordField(page).fill('');
  await expect(passwordField(page)).toHaveAccessibleDescription('Password is required');
  await expect(signInButton(page)).toBeDisabled();

  await signIn(page, stranger, 'Wrong-Horse-7');
  await expect(page.getByRole('button', { name: 'Logging In...' })).toBeDisabled();
  await expect(emailField(page)).toBeDisabled();
  await expect(passwordField(page)).toBeDisabled();
  sending.letGo();
  await expect(errorBox(page)).toHaveText('E-Mail or password incorrect.');
  await expect(toast(page, 'E-Mail or password incorrect.')).toBeVisible();
  await expect(emailField(page)).toHaveValue(stranger.email);

  await signIn(page, stranger);
  sending.letGo();
  await expect(toast(page, 'Login successful!')).toBeVisible();
  await expect(page.getByText(`Welcome back ${stranger.email}`)).toBeVisible();
  // The page from which the dashboard redirected.
  await expect(page).toHaveURL(/\/dashboard\/file-management\?column=size$/);
});

test('an unverified email leads to the code page, which shows it', { tag: '@detail' }, async ({ page, site }) => {
  const address = await signUpForCode(page);
  await page.goto('/sign-in');
  await signIn(page, { email: address });
  await expect(page).toHaveURL(/\/verify-code$/);
  await expect(page.getByText(address)).toBeVisible();
  await page.getByLabel('Verification code').fill(await site.newestCodeFor(address));
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(emailField(page)).toHaveValue(address);
  await page.getByRole('link', { name: 'Forgot Password?' }).click();
  await expect(page).toHaveURL(/\/forget-password$/);
  await expect(emailField(page)).toHaveValue(address);
  await page.goBack();
  await page.getByRole('main').getByRole('link', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL(/\/sign-up$/);
});

test('Logout ends the session and opens the home page', { tag: '@detail' }, async ({ page, person }) => {
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
