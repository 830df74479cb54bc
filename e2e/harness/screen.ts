/** Locators of elements that every page has. */
import type { Locator, Page } from '@playwright/test';

/** A toast in the page's single live region. */
export const toast = (page: Page, text: string): Locator => page.getByRole('status').getByText(text, { exact: true });

/** The error box above a form or a list. */
export const errorBox = (page: Page): Locator => page.getByRole('alert');

/** Shown until the app knows whether a user is signed in. */
export const checkingSession = (page: Page): Locator => page.getByText('Checking session...');

/** The heading of the requested page, not of the session check before it. */
export const pageHeading = (page: Page): Locator =>
  page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Checking session...' });
