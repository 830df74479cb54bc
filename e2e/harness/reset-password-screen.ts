/** Shared by the tests of Reset Password. */
import type { Locator, Page } from '@playwright/test';
import { askForLink, resetLinkSent } from './forget-password-screen.ts';
import { toast } from './screen.ts';
import type { Site } from './site.ts';
import { expect, signUpOnce, test as base } from './test.ts';

/** `link` is the path of a fresh reset link, and `owner` the email whose password it resets. */
export const test = base.extend<{ owner: string; link: string }>({
  owner: async ({ site, browser }, use) => use((await signUpOnce(site, browser)).person.email),
  link: async ({ page, site, owner }, use) => use(await requestLink(page, site, owner)),
});

export const resetPasswordCall = '**/api/v3/session/reset-password';
export const resetButton = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: 'Reset Password' });
export const sendNewLink = (page: Page): Locator =>
  page.getByRole('main').getByRole('link', { name: 'Send a new link' });

async function requestLink(page: Page, site: Site, address: string): Promise<string> {
  await askForLink(page, address);
  await expect(toast(page, resetLinkSent)).toBeVisible();
  return site.newestResetLinkFor(address);
}
