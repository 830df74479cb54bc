import { generateKey, newKeyCode } from '../harness/change-api-screen.ts';
import { askToDelete, confirmDeletion, deletionWord } from '../harness/delete-account-screen.ts';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { sessionItems, signInElsewhere } from '../harness/security-screen.ts';
import type { Site } from '../harness/site.ts';
import { expect, goodPassword, type Person, test } from '../harness/test.ts';
import type { Locator, Page } from '@playwright/test';

const passwordDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Confirm your password' });
const confirmedPasswordField = (page: Page): Locator => passwordDialog(page).getByLabel('Password', { exact: true });

/** As if the password had been entered in the person's sessions long ago. */
function ageConfirmation(site: Site, { email }: Person): void {
  using database = site.openDatabase();
  database
    .prepare('UPDATE sessions SET confirmed_at = 0 WHERE account_id = (SELECT id FROM accounts WHERE email = ?)')
    .run(email);
}

async function enterPassword(page: Page, password: string): Promise<void> {
  await confirmedPasswordField(page).fill(password);
  await confirmedPasswordField(page).press('Enter');
}

test('a new API key needs the password again, and a wrong one shows the reason in the dialog', async ({
  page,
  person,
  site,
}) => {
  ageConfirmation(site, person);
  await page.goto('/dashboard/change-api');
  await generateKey(page).click();
  await expect(passwordDialog(page)).toContainText(`To change your API key, enter the password of ${person.email}.`);
  await expect(confirmedPasswordField(page)).toBeFocused();
  await expect(confirmedPasswordField(page)).toHaveAttribute('autocomplete', 'current-password');
  await passwordDialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(passwordDialog(page).getByText('Password is required')).toBeVisible();
  await enterPassword(page, 'Wrong-Horse-7');
  await expect(passwordDialog(page).getByRole('alert')).toHaveText('That password is incorrect.');
  await expect(confirmedPasswordField(page)).toBeFocused();
  await enterPassword(page, goodPassword);
  await expect(passwordDialog(page)).toBeHidden();
  await expect(newKeyCode(page)).not.toHaveText(person.apiKey);
  await expect(page.getByRole('heading', { name: 'Your new API key' })).toBeFocused();
});

test('Escape and Cancel change nothing and return to the button', async ({ page, person, site }) => {
  signInElsewhere(site, person);
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

test('a change whose page was left before or while the password is asked for ends', async ({ page, person, site }) => {
  ageConfirmation(site, person);
  // The address changes before the code of the next page has arrived.
  const code = await holdBack(page, '**/assets/UploadFilesPage*');
  await askToDelete(page);
  await deletionWord(page).fill('delete');
  await page.getByRole('link', { name: 'Upload Files' }).click();
  await expect(page).toHaveURL('/dashboard');
  await confirmDeletion(page).click();
  await expect(passwordDialog(page)).toBeVisible();
  code.letGo(10);
  await expect(pageHeading(page)).toHaveText('Upload Files');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await askToDelete(page);
  await deletionWord(page).fill('delete');
  const deletion = await holdBack(page, '**/delete-account');
  const refused = page.waitForResponse('**/delete-account');
  await confirmDeletion(page).click();
  await page.getByRole('link', { name: 'Upload Files' }).click();
  await expect(pageHeading(page)).toHaveText('Upload Files');
  deletion.letGo();
  expect((await refused).status()).toBe(403);
  await page.getByRole('link', { name: 'Account Info' }).click();
  await expect(pageHeading(page)).toHaveText('Account Info');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
