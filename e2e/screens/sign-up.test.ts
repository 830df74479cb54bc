import { confirmationField, emailField, passwordField } from '../harness/credentials.ts';
import { errorBox, pageHeading } from '../harness/screen.ts';
import { fillSignUp, signUpButton } from '../harness/sign-up-screen.ts';
import { test } from '../harness/stranger.ts';
import { expect, goodPassword } from '../harness/test.ts';

test('the form checks its fields, and an email that has an account is refused', async ({ page, stranger }) => {
  await page.goto('/sign-up');
  await expect(pageHeading(page)).toHaveText('Sign Up');
  await expect(signUpButton(page)).toBeDisabled();
  for (const [field, typed, message] of [
    [emailField, 'kelp', 'Enter a valid email address'],
    [emailField, '', 'Email is required'],
    [emailField, 'kelp+forest@example.com', "Address must not contain a '+'."],
    [emailField, 'kelp@example.com', ''],
    [passwordField, 'Kelp-7', 'Minimum 8 characters'],
    [passwordField, 'kelp-forest-7', 'Must include uppercase, lowercase, and a number'],
    [passwordField, '', 'Password is required'],
    [passwordField, goodPassword, '8+ characters upper and lower case a number'],
    [confirmationField, 'Another-Horse-7', 'Passwords do not match'],
    [confirmationField, '', 'Please confirm your password'],
    [confirmationField, goodPassword, ''],
  ] as const) {
    await field(page).fill(typed);
    await expect(field(page)).toHaveAccessibleDescription(message);
  }
  // The confirmation is checked again when the password changes.
  await passwordField(page).fill('Another-Horse-7');
  await expect(confirmationField(page)).toHaveAccessibleDescription('Passwords do not match');
  await expect(signUpButton(page)).toBeDisabled();

  await fillSignUp(page, stranger.email);
  await signUpButton(page).click();
  const words = 'An account with this email already exists. Sign in instead.';
  await expect(errorBox(page)).toHaveText(words);
  await expect(signUpButton(page)).toBeEnabled();
  await expect(emailField(page)).toHaveValue(stranger.email);
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await expect(emailField(page)).toHaveValue(stranger.email);
  await expect(passwordField(page)).toBeFocused();
});
