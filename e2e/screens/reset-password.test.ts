import { confirmationField, newPassword, newPasswordField } from '../harness/credentials.ts';
import { holdBack } from '../harness/hold-back.ts';
import { fillAndReset, resetButton, resetPasswordCall, sendNewLink, test } from '../harness/reset-password-screen.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { signIn } from '../harness/sign-in.ts';
import { expect } from '../harness/test.ts';

test('without a key the page links to Forgot Password', async ({ page }) => {
  for (const path of ['/reset-password', '/reset-password#key=']) {
    await page.goto(path);
    await expect(page.getByText('Follow the link in the newest one, or have another one sent.')).toBeVisible();
    await expect(resetButton(page)).toBeHidden();
  }
  await sendNewLink(page).click();
  await expect(pageHeading(page)).toHaveText('Forgot Password');
});

test('both passwords are required, must be strong and must match', async ({ page }) => {
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
  await confirmationField(page).fill('Battery');
  await expect(confirmationField(page)).toHaveAccessibleDescription('Passwords do not match');
  await confirmationField(page).fill('');
  await expect(confirmationField(page)).toHaveAccessibleDescription('Please confirm your password');
  await expect(resetButton(page)).toBeDisabled();
  await confirmationField(page).fill(newPassword);
  await expect(resetButton(page)).toBeEnabled();
  await newPasswordField(page).fill(`${newPassword}9`);
  await expect(confirmationField(page)).toHaveAccessibleDescription('Passwords do not match');
  await expect(resetButton(page)).toBeDisabled();
});

for (const form of ['#', '?'])
  test(`the key in ${form} is removed from the URL and the history, and survives a reload`, async ({ page }) => {
    await page.goto('/');
    await page.goto(`/reset-password${form}key=k3lp-and_REEF%3D`);
    await expect(page).toHaveURL(/\/reset-password$/);
    await expect(newPasswordField(page)).toBeVisible();
    await page.reload();
    await expect(page).toHaveURL(/\/reset-password$/);
    const asked = page.waitForRequest(resetPasswordCall);
    await newPasswordField(page).fill(newPassword);
    await confirmationField(page).fill(newPassword);
    await resetButton(page).click();
    expect((await asked).postDataJSON()).toEqual({
      reset_key: 'k3lp-and_REEF=',
      password: newPassword,
      password2: newPassword,
    });
    await page.goBack();
    await expect(page).toHaveURL(/:\d+\/$/);
  });

test('the emailed link sets the new password, and the old password is refused', async ({ page, link, owner }) => {
  const sending = await holdBack(page, resetPasswordCall);
  await fillAndReset(page, link);
  await expect(page.getByRole('button', { name: 'Resetting...' })).toBeDisabled();
  await expect(newPasswordField(page)).toBeDisabled();
  await expect(confirmationField(page)).toBeDisabled();
  sending.letGo();
  await expect(toast(page, 'Your password has been successfully reset.')).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(pageHeading(page)).toBeFocused();
  await signIn(page, { email: owner });
  await expect(errorBox(page)).toHaveText('E-Mail or password incorrect.');
  await signIn(page, { email: owner }, newPassword);
  await expect(page.getByText(`Welcome back ${owner}`)).toBeVisible();
});
