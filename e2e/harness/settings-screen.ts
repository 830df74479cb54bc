/** Shared by the tests of Settings. */
import type { Locator, Page } from '@playwright/test';

export const settingsPath = '/dashboard/settings';
export const settingsEntry = (page: Page, name: string): Locator => page.getByRole('main').getByRole('link', { name });
