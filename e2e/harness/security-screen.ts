/** Shared by the tests of Security. */
import type { Browser, Locator, Page } from '@playwright/test';
import { newPasswordField } from './credentials.ts';
import { pageHeading } from './screen.ts';
import { signIn } from './sign-in.ts';
import { expect, type Person } from './test.ts';

export const changePasswordCall = '**/api/v3/session/change-password';
export const oldPasswordField = (page: Page): Locator => page.getByLabel('Old password', { exact: true });
export const savePassword = (page: Page): Locator => page.getByRole('button', { name: 'Save & Update' });
export const sessionItems = (page: Page): Locator =>
  page.getByRole('list', { name: 'Where you are signed in' }).getByRole('listitem');

export async function submitPasswordChange(page: Page, from: string, to: string): Promise<void> {
  await oldPasswordField(page).fill(from);
  await newPasswordField(page).fill(to);
  await savePassword(page).click();
}

/** Signs in the same user in another browser. */
export async function signInElsewhere(
  browser: Browser,
  baseURL: string | undefined,
  person: Person,
  userAgent: string,
): Promise<Page> {
  const context = await browser.newContext({ userAgent, ...(baseURL !== undefined && { baseURL }) });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await signIn(page, person);
  await expect(pageHeading(page)).toHaveText('Upload Files');
  return page;
}

export const firefoxAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
