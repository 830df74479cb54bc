/** Shared by the tests of Security. */
import type { Locator, Page } from '@playwright/test';
import { newPasswordField } from './credentials.ts';
import type { Site } from './site.ts';
import { type Person, sessionCookie } from './test.ts';

export const changePasswordCall = '**/api/v3/session/change-password';
export const oldPasswordField = (page: Page): Locator => page.getByLabel('Old password', { exact: true });
export const savePassword = (page: Page): Locator => page.getByRole('button', { name: 'Save & Update' });
export const sessionItems = (page: Page): Locator =>
  page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem');

export async function submitPasswordChange(page: Page, from: string, to: string): Promise<void> {
  await oldPasswordField(page).fill(from);
  await newPasswordField(page).fill(to);
  await savePassword(page).click();
}

/** Signs in the same user in Firefox. Resolves with what the API responds there from now on. */
export function signInElsewhere(site: Site, { email }: Person): () => Promise<number> {
  const { name, value } = sessionCookie(site, site.addSession(email, firefoxAgent));
  return async () => (await fetch(`${site.url}${accountPath}`, { headers: { cookie: `${name}=${value}` } })).status;
}

const accountPath = '/api/v3/rest/get-account-info';
const firefoxAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
