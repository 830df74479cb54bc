/** The dialog that asks for the password again. */
import type { Locator, Page } from '@playwright/test';
import type { Site } from './site.ts';
import type { Person } from './test.ts';

export const passwordDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Confirm your password' });
export const confirmedPasswordField = (page: Page): Locator =>
  passwordDialog(page).getByLabel('Password', { exact: true });
export const confirmButton = (page: Page): Locator => passwordDialog(page).getByRole('button', { name: 'Confirm' });

/** As if the password had been entered in the person's sessions long ago. */
export function ageConfirmation(site: Site, { email }: Person): void {
  using database = site.openDatabase();
  database
    .prepare('UPDATE sessions SET confirmed_at = 0 WHERE account_id = (SELECT id FROM accounts WHERE email = ?)')
    .run(email);
}

/** Enters a password in the open dialog and sends it with the Enter key. */
export async function enterPassword(page: Page, password: string): Promise<void> {
  await confirmedPasswordField(page).fill(password);
  await confirmedPasswordField(page).press('Enter');
}
