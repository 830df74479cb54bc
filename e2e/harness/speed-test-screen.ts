/** Shared by the tests of Speed Test. */
import type { Locator, Page } from '@playwright/test';

export const speedTestPath = '/speed-test';
export const speedTestFile = (level: string): string => `/speed-test/250MB.bin?tier=${level}`;
export const serverRegion = (page: Page): Locator =>
  page.getByRole('status').filter({ hasText: 'You are connected to:' });
export const measurementOutcome = (page: Page): Locator => page.getByRole('main').getByRole('status').last();
export const speedTier = (page: Page, name: string): Locator =>
  page
    .getByRole('list', { name: 'Plans' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
export const measureButton = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: `Measure ${name}` });
