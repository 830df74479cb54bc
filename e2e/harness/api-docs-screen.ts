/** Shared by the tests of API Docs. */
import type { Locator, Page } from '@playwright/test';
import { pageHeading } from './screen.ts';
import { expect } from './test.ts';

export const docsAnchors = [
  'getting-started',
  'rate-limits',
  'api-requests',
  'api-responses',
  'authentication',
  'file',
  'upload',
  'get-file-list',
  'toggle-favorite',
  'delete-files',
  'get-account-info',
  'get-account-settings',
];
export const docsIndex = (page: Page): Locator => page.getByRole('navigation', { name: 'On this page' });
export const docsSection = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('region', { name, exact: true });

export async function openDocs(page: Page, hash = ''): Promise<void> {
  await page.goto(`/api-docs${hash}`);
  await expect(pageHeading(page)).toHaveText('API Docs');
}
