import { confirmationField, emailField, passwordField } from '../harness/credentials.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { createAccountCall, fillSignUp, signUpButton } from '../harness/sign-up-screen.ts';
import { expect, goodPassword, newEmail, signUpAndIn, test } from '../harness/test.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/sign-up');
  await expect(pageHeading(page)).toHaveText('Sign Up');
});

test("the email is required, must be valid and must not contain a '+'", async ({ page }) => {
  await emailField(page).fill('kelp');
  await expect(emailField(page)).toHaveAccessibleDescription('Enter a valid email address');
  await emailField(page).fill('');
  await expect(emailField(page)).toHaveAccessibleDescription('Email is required');
  await emailField(page).fill('kelp+forest@example.com');
  await expect(emailField(page)).toHaveAccessibleDescription("Address must not contain a '+'.");
  await emailField(page).fill('kelp@example.com');
  await expect(emailField(page)).toHaveAccessibleDescription('');
});

test('a password needs 8 characters with lowercase, uppercase and a number', async ({ page }) => {
  await passwordField(page).fill('Kelp-7');
  await expect(passwordField(page)).toHaveAccessibleDescription('Minimum 8 characters');
  for (const weak of ['kelp-forest-7', 'KELP-FOREST-7', 'Kelp-Forest']) {
    await passwordField(page).fill(weak);
    await expect(passwordField(page)).toHaveAccessibleDescription('Must include uppercase, lowercase, and a number');
  }
  await passwordField(page).fill('');
  await expect(passwordField(page)).toHaveAccessibleDescription('Password is required');
});

test('the confirmation is required and must equal the password, whichever is changed', async ({ page }) => {
  await passwordField(page).fill(goodPassword);
  await confirmationField(page).fill('Another-Horse-7');
  await expect(confirmationField(page)).toHaveAccessibleDescription('Passwords do not match');
  await passwordField(page).fill('Another-Horse-7');
  await expect(confirmationField(page)).toHaveAccessibleDescription('');
  await confirmationField(page).fill('');
  await expect(confirmationField(page)).toHaveAccessibleDescription('Please confirm your password');
});

test('the form can be sent only while it is valid', async ({ page }) => {
  await expect(signUpButton(page)).toBeDisabled();
  await fillSignUp(page, 'kelp@example.com');
  await expect(signUpButton(page)).toBeEnabled();
  await emailField(page).fill('kelp');
  await expect(signUpButton(page)).toBeDisabled();
});

test('the default bot check needs no user interaction', async ({ page }) => {
  const address = newEmail();
  const sent = page.waitForRequest(createAccountCall);
  await fillSignUp(page, address);
  await signUpButton(page).click();
  const { captcha_token: token } = (await sent).postDataJSON() as { captcha_token: string };
  expect(token).not.toBe('');
  await expect(toast(page, 'Signup successful! Check your email to verify.')).toBeVisible();
  await expect(page).toHaveURL(/\/verify-code$/);
  await expect(page.getByText(address)).toBeVisible();
});

test('an email that has an account is refused beside the form and in a toast', async ({ page, site, browser }) => {
  const elsewhere = await browser.newContext();
  const { email: taken } = await signUpAndIn(site, elsewhere);
  await elsewhere.close();
  await fillSignUp(page, taken);
  await signUpButton(page).click();
  const words = 'An account with this email already exists. Sign in instead.';
  await expect(errorBox(page)).toHaveText(words);
  await expect(toast(page, words)).toBeVisible();
  await expect(signUpButton(page)).toBeEnabled();
  await expect(emailField(page)).toHaveValue(taken);
});
