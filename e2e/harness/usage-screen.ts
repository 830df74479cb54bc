/** Shared by the tests of Usage. */
import type { Locator, Page } from '@playwright/test';

export const usagePath = '/dashboard/usage';
export const quotaTile = (page: Page, name: string): Locator =>
  page
    .getByRole('main')
    .locator('dl > div')
    .filter({ has: page.getByRole('term').getByText(name, { exact: true }) });
