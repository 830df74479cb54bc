import { newPassword, newPasswordField } from '../harness/credentials.ts';
import { errorBox, toast } from '../harness/screen.ts';
import {
  changePasswordCall,
  oldPasswordField,
  savePassword,
  submitPasswordChange,
} from '../harness/security-screen.ts';
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

for (const { name, box, kept } of [
  { name: 'replaces the API key', box: true, kept: false },
  { name: 'keeps the API key if its box is off', box: false, kept: true },
])
  test(`a password change ${name}`, async ({ page, person }) => {
    await page.goto('/dashboard/security');
    const alsoKey = page.getByRole('checkbox', { name: 'Also change my API key' });
    await expect(alsoKey).toBeChecked();
    await alsoKey.setChecked(box);
    await submitPasswordChange(page, goodPassword, newPassword);
    await expect(toast(page, 'Password updated successfully')).toBeVisible();
    await expect(alsoKey).toBeChecked();
    const { status } = await fetch(new URL('/api/v3/rest/get-account-info', page.url()), {
      headers: { 'X-API-Key': person.apiKey },
    });
    expect(status).toBe(kept ? 200 : 401);
    await page.goto('/dashboard/account-info');
    const copy = page.getByRole('button', { name: 'Copy API key' });
    await copy.hover();
    await expect(copy.getByText(person.apiKey)).toBeVisible({ visible: kept });
  });

test('the name of the site is refused while it is typed', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/security');
  await oldPasswordField(page).fill(goodPassword);
  await newPasswordField(page).fill('Holdfast2026');
  await expect(page.getByText('This password is too common. Choose another one.')).toBeVisible();
  await expect(savePassword(page)).toBeDisabled();
});
