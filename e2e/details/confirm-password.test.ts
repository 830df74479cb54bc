import { expectAccessibleWithoutOverflow } from '../harness/axe.ts';
import { generateKey, newKeyCode } from '../harness/change-api-screen.ts';
import {
  ageConfirmation,
  confirmButton,
  confirmedPasswordField,
  enterPassword,
  passwordDialog,
} from '../harness/confirm-password-dialog.ts';
import { newPassword } from '../harness/credentials.ts';
import { askToDelete, confirmDeletion, deletionWord } from '../harness/delete-account-screen.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { firefoxAgent, sessionItems, signInElsewhere, submitPasswordChange } from '../harness/security-screen.ts';
import { expect, goodPassword, test } from '../harness/test.ts';

test('a new API key needs the password again, and a wrong one shows the reason in the dialog', async ({
  page,
  person,
  site,
}) => {
  ageConfirmation(site, person);
  await page.goto('/dashboard/change-api');
  await generateKey(page).click();
  await expect(passwordDialog(page)).toContainText(`To continue, enter the password of ${person.email}.`);
  await expect(confirmedPasswordField(page)).toBeFocused();
  await expect(confirmedPasswordField(page)).toHaveAttribute('autocomplete', 'current-password');
  await confirmButton(page).click();
  await expect(passwordDialog(page).getByText('Password is required')).toBeVisible();
  await enterPassword(page, 'Wrong-Horse-7');
  await expect(passwordDialog(page).getByRole('alert')).toHaveText('That password is incorrect.');
  await expect(confirmedPasswordField(page)).toBeFocused();
  await enterPassword(page, goodPassword);
  await expect(passwordDialog(page)).toBeHidden();
  await expect(newKeyCode(page)).not.toHaveText(person.apiKey);
  await expect(page.getByRole('heading', { name: 'Your new API key' })).toBeFocused();
});

test('Escape and Cancel change nothing and return to the button', async ({ page, person, site, browser, baseURL }) => {
  const elsewhere = await signInElsewhere(browser, baseURL, person, firefoxAgent);
  ageConfirmation(site, person);
  await page.goto('/dashboard/security');
  const revoke = page.getByRole('button', { name: /^Revoke .*Firefox/ });
  const cancel = passwordDialog(page).getByRole('button', { name: 'Cancel' });
  for (const leave of [() => page.keyboard.press('Escape'), () => cancel.click()]) {
    await revoke.click();
    await expect(confirmedPasswordField(page)).toBeFocused();
    await leave();
    await expect(passwordDialog(page)).toBeHidden();
    await expect(revoke).toBeFocused();
    await expect(toast(page, 'Failed to revoke the session')).toBeHidden();
    await expect(sessionItems(page)).toHaveCount(2);
  }
  await revoke.click();
  await enterPassword(page, goodPassword);
  await expect(toast(page, 'Session revoked')).toBeVisible();
  await expect(sessionItems(page)).toHaveCount(1);
  // For the next 15 minutes the password is not asked for again.
  await page.goto('/dashboard/change-api');
  await generateKey(page).click();
  await expect(newKeyCode(page)).toBeVisible();
  await elsewhere.context().close();
});

test('the deletion of the account goes on after the password', async ({ page, person, site }) => {
  ageConfirmation(site, person);
  await askToDelete(page);
  await deletionWord(page).fill('delete');
  await confirmDeletion(page).click();
  await enterPassword(page, goodPassword);
  await expect(toast(page, `Account ${person.email} deleted successfully. You will be logged out.`)).toBeVisible();
  await expect(page).toHaveURL('/');
});

test('after Cancel the deletion can be confirmed again', async ({ page, person, site }) => {
  ageConfirmation(site, person);
  await askToDelete(page);
  await deletionWord(page).fill('delete');
  await confirmDeletion(page).click();
  await passwordDialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(passwordDialog(page)).toBeHidden();
  await expect(confirmDeletion(page)).toBeEnabled();
  await confirmDeletion(page).click();
  await expect(confirmedPasswordField(page)).toBeFocused();
});

test('going back closes the dialog and changes nothing', async ({ page, person, site }) => {
  ageConfirmation(site, person);
  await page.goto('/dashboard/settings');
  await page
    .getByRole('main')
    .getByRole('link', { name: /Change API/ })
    .click();
  await generateKey(page).click();
  await expect(confirmedPasswordField(page)).toBeFocused();
  await page.goBack();
  await expect(pageHeading(page)).toHaveText('Settings');
  await expect(passwordDialog(page)).toBeHidden();
  await page.goForward();
  await expect(generateKey(page)).toBeEnabled();
});

test('another tab of the browser goes on after a password change', async ({ page, person }) => {
  const other = await page.context().newPage();
  await other.goto('/dashboard/account-info');
  await page.goto('/dashboard/security');
  await submitPasswordChange(page, goodPassword, newPassword);
  await expect(toast(page, 'Password updated successfully')).toBeVisible();
  await other.getByRole('link', { name: 'File Management' }).click();
  await expect(pageHeading(other)).toHaveText('File Management');
  await other.reload();
  await expect(other.getByText(person.email).first()).toBeAttached();
});

for (const width of [390, 1440])
  test(`the dialog fits and is accessible at ${width} px, light and dark`, async ({ page, person, site }) => {
    await page.setViewportSize({ width, height: 800 });
    ageConfirmation(site, person);
    await page.goto('/dashboard/change-api');
    await generateKey(page).click();
    await enterPassword(page, 'Wrong-Horse-7');
    await expect(passwordDialog(page).getByRole('alert')).toBeVisible();
    const box = await passwordDialog(page).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(16);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width - 16);
    await expectAccessibleWithoutOverflow(page);
    // The Tab key stays in the dialog and the browser's own controls.
    for (let presses = 0; presses < 8; presses += 1) {
      await page.keyboard.press('Tab');
      const inside = await passwordDialog(page).evaluate(
        (dialog) => dialog.contains(document.activeElement) || document.activeElement === document.body,
      );
      expect(inside).toBe(true);
    }
  });
