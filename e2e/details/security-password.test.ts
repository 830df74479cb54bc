import { newPassword, newPasswordField } from '../harness/credentials.ts';
import { errorBox, toast } from '../harness/screen.ts';
import { changePasswordCall, oldPasswordField, submitPasswordChange } from '../harness/security-screen.ts';
import { expect, goodPassword, test } from '../harness/test.ts';

test('each password can be shown and hidden', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/security');
  for (const field of [oldPasswordField(page), newPasswordField(page)]) {
    await expect(field).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Show password' }).first().click();
    await expect(field).toHaveAttribute('type', 'text');
  }
  await page.getByRole('button', { name: 'Hide password' }).first().click();
  await expect(oldPasswordField(page)).toHaveAttribute('type', 'password');
});

test('a failure without a message shows a default message', async ({ signedInPage: page }) => {
  await page.route(changePasswordCall, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await page.goto('/dashboard/security');
  await submitPasswordChange(page, goodPassword, newPassword);
  await expect(errorBox(page)).toHaveText('Something went wrong, please try again.');
  await expect(toast(page, 'Something went wrong, please try again.')).toBeVisible();
});
