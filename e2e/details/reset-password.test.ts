import { everyCallFromNewAddress } from '../harness/client-address.ts';
import { confirmationField, newPassword, newPasswordField } from '../harness/credentials.ts';
import { fillAndReset, resetPasswordCall, sendNewLink, test } from '../harness/reset-password-screen.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { expect } from '../harness/test.ts';

test('each password can be shown', async ({ page }) => {
  await page.goto('/reset-password#key=kelp');
  for (const field of [newPasswordField(page), confirmationField(page)]) {
    await field.fill(newPassword);
    await page.getByRole('button', { name: 'Show password' }).first().click();
    await expect(field).toHaveAttribute('type', 'text');
  }
  await expect(page.getByRole('button', { name: 'Hide password' })).toHaveCount(2);
});

test('a reset link works once, and the page then links to Forgot Password', async ({ page, context, link }) => {
  await everyCallFromNewAddress(context);
  await fillAndReset(page, link);
  await expect(pageHeading(page)).toHaveText('Sign In');
  await page.goBack();
  await expect(pageHeading(page)).toHaveText('Forgot Password');
  await fillAndReset(page, link);
  const words = 'This reset link is no longer valid. Request a new one.';
  await expect(errorBox(page)).toHaveText(words);
  await expect(toast(page, words)).toBeVisible();
  await expect(newPasswordField(page)).toHaveValue(newPassword);
  await sendNewLink(page).click();
  await expect(pageHeading(page)).toHaveText('Forgot Password');
});

test('a failure without a message shows a default message', async ({ page }) => {
  await page.route(resetPasswordCall, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await fillAndReset(page, '/reset-password#key=kelp');
  await expect(errorBox(page)).toHaveText('Something went wrong. Try again!');
  await expect(toast(page, 'Something went wrong. Try again!')).toBeVisible();
});
