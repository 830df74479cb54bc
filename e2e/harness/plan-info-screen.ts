/** Shared by the tests of Plan Info. */
import type { Locator, Page } from '@playwright/test';

export const planInfoPath = '/dashboard/plan-info';
export const planLimit = (page: Page, name: string): Locator =>
  page.getByRole('main').locator('dl > div').filter({ hasText: name }).getByRole('definition');
export const usedBar = (page: Page, name: string): Locator => page.getByRole('progressbar', { name: `${name} used` });
export const planUsage = (page: Page): Locator => page.getByRole('region', { name: 'Usage' });
export const exceedsPlan = (page: Page): Locator => page.getByText('Your files exceed your plan.');
