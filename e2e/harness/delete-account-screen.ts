/** Shared by the tests of Delete Account. */
import type { Locator, Page } from '@playwright/test';

export const deleteAccountCall = '**/api/v3/session/delete-account';
export const beginDeletion = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: 'Delete Account' });
export const deletionWord = (page: Page): Locator => page.getByLabel("Type 'delete' to confirm");
export const confirmDeletion = (page: Page): Locator =>
  page.getByRole('button', { name: 'Permanently delete my account' });

export async function askToDelete(page: Page): Promise<void> {
  await page.goto('/dashboard/delete-account');
  await beginDeletion(page).click();
}
