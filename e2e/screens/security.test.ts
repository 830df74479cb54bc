import { newPassword, newPasswordField } from '../harness/credentials.ts';
import { holdBack } from '../harness/hold-back.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import {
  changePasswordCall,
  oldPasswordField,
  savePassword,
  sessionItems,
  signInElsewhere,
  submitPasswordChange,
} from '../harness/security-screen.ts';
import { expect, goodPassword, test } from '../harness/test.ts';

test(
  'both passwords are checked while typing, and a wrong old one is refused beside the form and in a toast',
  { tag: '@detail' },
  async ({ page, person }) => {
    await page.goto('/dashboard/security');
    await expect(page.getByText(`Welcome back ${person.email}`)).toBeVisible();
    await expect(savePassword(page)).toBeDisabled();
    for (const [field, typed, message] of [
      [oldPasswordField, 'kelp', 'Old password must be at least 6 characters'],
      [oldPasswordField, '', 'Old password is required'],
      [newPasswordField, 'short', 'Password must be at least 8 characters'],
      [newPasswordField, 'all-lower-case-7', 'Must include uppercase, lowercase, and a number'],
      [newPasswordField, '', 'New password is required'],
    ] as const) {
      await field(page).fill(typed);
      await expect(field(page)).toHaveAccessibleDescription(message);
    }
    await newPasswordField(page).fill(newPassword);
    await expect(savePassword(page)).toBeDisabled();
    await submitPasswordChange(page, 'Wrong-Horse-7', newPassword);
    await expect(errorBox(page)).toHaveText('That old password is incorrect.');
    await expect(newPasswordField(page)).toHaveValue(newPassword);
  },
);

test('a new password clears the form, keeps this session and ends the others', async ({ page, person, site }) => {
  const statusElsewhere = signInElsewhere(site, person);
  expect(await statusElsewhere()).toBe(200);
  const sending = await holdBack(page, changePasswordCall);
  await page.goto('/dashboard/security');
  await expect(sessionItems(page)).toHaveCount(2);
  await submitPasswordChange(page, goodPassword, newPassword);
  await expect(page.getByRole('button', { name: 'Updating Password...' })).toBeDisabled();
  await expect(oldPasswordField(page)).toBeDisabled();
  await expect(newPasswordField(page)).toBeDisabled();
  sending.letGo();
  await expect(toast(page, 'Password updated successfully')).toBeVisible();
  await expect(oldPasswordField(page)).toHaveValue('');
  await expect(newPasswordField(page)).toHaveValue('');
  await expect(savePassword(page)).toBeDisabled();
  await expect(sessionItems(page)).toHaveCount(1);
  await page.reload();
  await expect(pageHeading(page)).toHaveText('Security');
  expect(await statusElsewhere()).toBe(401);
});

test(
  'the password field keeps the focus when a revocation completes',
  { tag: '@detail' },
  async ({ page, person, site }) => {
    signInElsewhere(site, person);
    const ending = await holdBack(page, '**/api/v3/session/end-sessions');
    await page.goto('/dashboard/security');
    await page.getByRole('button', { name: /^Revoke .*Firefox/ }).click();
    await oldPasswordField(page).pressSequentially('Kelp-');
    ending.letGo();
    await expect(sessionItems(page)).toHaveCount(1);
    await expect(toast(page, 'Session revoked')).toBeVisible();
    await page.keyboard.type('Forest-9');
    await expect(oldPasswordField(page)).toHaveValue('Kelp-Forest-9');
  },
);
