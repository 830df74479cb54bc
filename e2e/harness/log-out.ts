/** Shared by the tests of Logout. */
import type { Locator, Page } from '@playwright/test';

/** The first attempt of a logout and the repeated ones. */
export const logoutCall = '**/session/*logout';
export const loggedOut = 'You have been logged out!';
/** The note that the server has not confirmed the logout. */
export const logoutNote = (page: Page): Locator =>
  page
    .getByRole('status')
    .getByText(
      'You are logged out on this page, but the server could not be reached to end your session. Leave this page',
    );

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
}
