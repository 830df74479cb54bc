/** Shared by the tests of Logout. */
import type { Page } from '@playwright/test';

export const loggedOut = 'You have been logged out!';

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
}
