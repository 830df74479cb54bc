import { confirmationField, emailField, newPassword, newPasswordField } from '../harness/credentials.ts';
import { holdBack } from '../harness/hold-back.ts';
import { askForLink, resetLinkSent } from '../harness/forget-password-screen.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { signIn } from '../harness/sign-in.ts';
import { expect, signUpAndIn, test } from '../harness/test.ts';
import type { Page } from '@playwright/test';

const resetButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Reset Password' });

test(
  'without a key the page links to Forgot Password; with one it asks for a strong password twice',
  { tag: '@detail' },
  async ({ page }) => {
    for (const path of ['/reset-password#key=', '/reset-password']) {
      await page.goto(path);
      await expect(page.getByText('Open this page from the link in your latest reset email')).toBeVisible();
      await expect(resetButton(page)).toBeHidden();
    }
    await page.getByRole('main').getByRole('link', { name: 'Send a new link' }).click();
    await expect(pageHeading(page)).toHaveText('Forgot Password');

    await page.goto('/reset-password#key=kelp');
    await expect(resetButton(page)).toBeDisabled();
    const messages = {
      short: 'Minimum 8 characters',
      'all-lower-case-7': 'Must include uppercase, lowercase, and a number',
      '': 'Password is required',
    };
    for (const [typed, message] of Object.entries(messages)) {
      await newPasswordField(page).fill(typed);
      await expect(newPasswordField(page)).toHaveAccessibleDescription(message);
    }
    await newPasswordField(page).fill(newPassword);
    await confirmationField(page).fill('');
    await expect(resetButton(page)).toBeDisabled();
    await confirmationField(page).fill(newPassword);
    await expect(resetButton(page)).toBeEnabled();
    await newPasswordField(page).fill(`${newPassword}9`);
    await expect(confirmationField(page)).toHaveAccessibleDescription('Passwords do not match');
    await expect(resetButton(page)).toBeDisabled();
  },
);

test('the emailed link sets the new password, and its key leaves the URL and the history', async ({
  page,
  site,
  context,
}) => {
  const { email } = await signUpAndIn(site, context);
  await context.clearCookies();
  await askForLink(page, email);
  await expect(toast(page, resetLinkSent)).toBeVisible();
  const sending = await holdBack(page, '**/api/v3/session/reset-password');
  await page.goto(await site.newestResetLinkFor(email));
  await expect(page).toHaveURL(/\/reset-password$/);
  await expect(newPasswordField(page)).toBeVisible();
  await page.reload();
  await newPasswordField(page).fill(newPassword);
  await confirmationField(page).fill(newPassword);
  await resetButton(page).click();
  await expect(page.getByRole('button', { name: 'Resetting...' })).toBeDisabled();
  await expect(newPasswordField(page)).toBeDisabled();
  await expect(confirmationField(page)).toBeDisabled();
  sending.letGo();
  await expect(toast(page, 'Your password has been successfully reset.')).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(emailField(page)).toBeFocused();
  await signIn(page, { email });
  await expect(errorBox(page)).toHaveText('E-Mail or password incorrect.');
  await signIn(page, { email }, newPassword);
  await expect(page.getByText(`Welcome back ${email}`)).toBeVisible();
});
