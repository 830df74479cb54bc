/** Locators of elements that every page has. */
import type { BrowserContext, Locator, Page } from '@playwright/test';

/** A toast, or a note in another live region. */
export const toast = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('status').getByText(text, { exact: true });

/** The error box above a form or a list. */
export const errorBox = (page: Page): Locator => page.getByRole('alert');

/** Shown until the app knows whether a user is signed in. */
export const checkingSession = (page: Page): Locator => page.getByText('Checking session...');

/** The heading of the requested page, not of the session check before it. */
export const pageHeading = (page: Page): Locator =>
  page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Checking session...' });

/**
 * Collects the status of each response to a call, whose address is a glob as for `page.route`, in the order of arrival.
 * Tests of several changes in a row wait for these, because a toast disappears after a few seconds.
 */
export function listenForStatuses(page: Page, call: string): readonly number[] {
  const statuses: number[] = [];
  const address = call.replace('**', '');
  page.on('response', (response) => {
    if (response.url().endsWith(address)) statuses.push(response.status());
  });
  return statuses;
}

/** The contents of the clipboard after a button press. */
export async function readClipboard(page: Page, context: BrowserContext): Promise<string> {
  await context.grantPermissions(['clipboard-read']);
  return page.evaluate(() => navigator.clipboard.readText());
}
