/** Shared by the tests of Change API. */
import type { Locator, Page } from '@playwright/test';

export const changeKeyCall = '**/api/v3/session/change-api-key';
export const generateKey = (page: Page): Locator => page.getByRole('button', { name: 'Generate new API key' });
export const newKeyCode = (page: Page): Locator =>
  page.getByRole('region', { name: 'Your new API key' }).getByRole('code');
