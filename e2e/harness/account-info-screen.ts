/** Shared by the tests of Account Info. */
import type { Locator, Page } from '@playwright/test';

export const apiKeyButton = (page: Page): Locator => page.getByRole('button', { name: 'Copy API key' });

export const keyInForm = (page: Page): Locator => page.getByRole('switch', { name: 'Accept the key in upload forms' });
