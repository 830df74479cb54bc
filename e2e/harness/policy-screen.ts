/** Shared by the tests of the policies. */
import type { Locator, Page } from '@playwright/test';

export const policyContents = (page: Page): Locator => page.getByRole('navigation', { name: 'On this page' });
export const policySection = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
