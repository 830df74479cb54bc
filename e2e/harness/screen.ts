/** Where things are that every page has. */
import type { Locator, Page } from '@playwright/test';

/** A toast, in the page's one live region. */
export const toast = (page: Page, text: string): Locator => page.getByRole('status').getByText(text, { exact: true });

/** The box above a form or a list that says what went wrong. */
export const errorBox = (page: Page): Locator => page.getByRole('alert');

export const pageHeading = (page: Page): Locator => page.getByRole('heading', { level: 1 });
