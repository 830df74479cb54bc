/** Shared by the tests of Logout. */
import type { Page } from '@playwright/test';

export const logoutCall = '**/session/logout';
export const loggedOut = 'You have been logged out!';
export const logoutUnconfirmed =
  'You are logged out on this page, but the server could not be reached to end your session. Leave this page open: it keeps trying.';

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
}
