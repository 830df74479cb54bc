import { emailField } from '../harness/credentials.ts';
import {
  askForLink,
  forgotPasswordButton,
  requestResetCall,
  resetLinkSent,
} from '../harness/forget-password-screen.ts';
import { holdBack } from '../harness/hold-back.ts';
import { errorBox, toast } from '../harness/screen.ts';
import { expect, signUpOnce, test } from '../harness/test.ts';

test('a valid email is required', async ({ page }) => {
  await page.goto('/forget-password');
  await expect(forgotPasswordButton(page)).toBeDisabled();
  await emailField(page).fill('kelp@');
  await expect(emailField(page)).toHaveAccessibleDescription('Enter a valid email');
  await expect(forgotPasswordButton(page)).toBeDisabled();
  await emailField(page).fill('');
  await expect(emailField(page)).toHaveAccessibleDescription('Email is required');
  await emailField(page).fill('kelp@example.com');
  await expect(emailField(page)).toHaveAccessibleDescription('');
  await expect(forgotPasswordButton(page)).toBeEnabled();
});

test('the form is disabled while it is sent, and then says to check the inbox', async ({ page, site, browser }) => {
  const { person } = await signUpOnce(site, browser);
  const sending = await holdBack(page, requestResetCall);
  await askForLink(page, person.email);
  await expect(page.getByRole('button', { name: 'Sending Link...' })).toBeDisabled();
  await expect(emailField(page)).toBeDisabled();
  sending.letGo();
  await expect(toast(page, resetLinkSent)).toBeVisible();
  await expect(page.getByText(`If ${person.email} has an account`)).toBeVisible();
  await expect(forgotPasswordButton(page)).toBeEnabled();
});

test('an email without an account shows the same message', async ({ page }) => {
  const address = await askForLink(page);
  await expect(toast(page, resetLinkSent)).toBeVisible();
  await expect(page.getByText(`If ${address} has an account`)).toBeVisible();
  await expect(errorBox(page)).toBeHidden();
});
