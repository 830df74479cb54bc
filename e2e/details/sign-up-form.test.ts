import { confirmationField, emailField, passwordField } from '../harness/credentials.ts';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading } from '../harness/screen.ts';
import { createAccountCall, fillSignUp, signUpButton } from '../harness/sign-up-screen.ts';
import { expect, newEmail, test } from '../harness/test.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/sign-up');
  await expect(pageHeading(page)).toHaveText('Sign Up');
});

test('each password can be shown and hidden separately', async ({ page }) => {
  await fillSignUp(page, 'kelp@example.com');
  await page.getByRole('button', { name: 'Show password' }).first().click();
  await expect(passwordField(page)).toHaveAttribute('type', 'text');
  await expect(confirmationField(page)).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(confirmationField(page)).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).first().click();
  await expect(passwordField(page)).toHaveAttribute('type', 'password');
});

test('the whole form is disabled while it is sent', async ({ page }) => {
  const sending = await holdBack(page, createAccountCall);
  await fillSignUp(page, newEmail());
  await signUpButton(page).click();
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled();
  await expect(emailField(page)).toBeDisabled();
  await expect(passwordField(page)).toBeDisabled();
  await expect(confirmationField(page)).toBeDisabled();
  sending.letGo();
  await expect(page).toHaveURL(/\/verify-code$/);
});

test('the page links to sign-in', async ({ page }) => {
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
});
