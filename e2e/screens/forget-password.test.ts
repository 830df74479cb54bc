import { emailField } from '../harness/credentials.ts';
import {
  askForLink,
  forgotPasswordButton,
  requestResetCall,
  resetLinkSent,
} from '../harness/forget-password-screen.ts';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test('a valid email is required, and an email without an account gets the usual message', async ({ page }) => {
  await page.goto('/forget-password');
  await expect(forgotPasswordButton(page)).toBeDisabled();
  for (const [typed, message] of [
    ['kelp@', 'Enter a valid email'],
    ['', 'Email is required'],
  ] as const) {
    await emailField(page).fill(typed);
    await expect(emailField(page)).toHaveAccessibleDescription(message);
    await expect(forgotPasswordButton(page)).toBeDisabled();
  }
  const sending = await holdBack(page, requestResetCall);
  const address = await askForLink(page);
  await expect(page.getByRole('button', { name: 'Sending Link...' })).toBeDisabled();
  await expect(emailField(page)).toBeDisabled();
  sending.letGo();
  await expect(toast(page, resetLinkSent)).toBeVisible();
  await expect(pageHeading(page)).toHaveText('Check your email');
  await expect(pageHeading(page)).toBeFocused();
  await expect(page.getByText(`If ${address} has an account`)).toBeVisible();
  await page.getByRole('button', { name: 'send another link' }).click();
  await expect(emailField(page)).toHaveValue(address);
  await expect(emailField(page)).toBeFocused();
  await page.getByRole('link', { name: 'Back to Sign In' }).click();
  await expect(pageHeading(page)).toHaveText('Sign In');
  await expect(emailField(page)).toHaveValue(address);
});
