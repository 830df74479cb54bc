import { generateKey, newKeyCode } from '../harness/change-api-screen.ts';
import {
  ageConfirmation,
  confirmButton,
  confirmedPasswordField,
  enterPassword,
  passwordDialog,
} from '../harness/confirm-password-dialog.ts';
import { askToDelete, confirmDeletion, deletionWord } from '../harness/delete-account-screen.ts';
import { toast } from '../harness/screen.ts';
import { firefoxAgent, sessionItems, signInElsewhere } from '../harness/security-screen.ts';
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
