import type { Page } from '@playwright/test';
import { expect, test } from '../harness/test.ts';

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' });
const entry = (page: Page, name: string) => sidebar(page).getByRole('link', { name, exact: true });
const settings = (page: Page) => sidebar(page).getByRole('button', { name: 'Settings' });
const current = (page: Page) => page.locator('[aria-current=page]:visible');
const theme = (page: Page, name: string) => page.getByRole('group', { name: 'Theme' }).getByRole('radio', { name });
const html = (page: Page) => page.locator('html');

test('the sidebar marks the current page, and its Settings group opens on its own pages', async ({
  signedInPage: page,
}) => {
  for (const [path, name] of [
    ['/dashboard', 'Upload Files'],
    ['/dashboard/settings', 'Upload Files'],
    ['/dashboard/file-management', 'File Management'],
    ['/dashboard/plan-info', 'Plan Info'],
  ] as const) {
    await page.goto(path);
    await expect(entry(page, name)).toHaveAttribute('aria-current', 'page');
    await expect(current(page)).toHaveText([name]);
  }
  await expect(settings(page)).toHaveAttribute('aria-expanded', 'false');
  await expect(entry(page, 'Security')).toBeHidden();
  await page.goto('/dashboard/security');
  await expect(settings(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(entry(page, 'Security')).toHaveAttribute('aria-current', 'page');
  await settings(page).click();
  await expect(entry(page, 'Security')).toBeHidden();
});

test('the theme follows the system until another is chosen, and again with System', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  await expect(theme(page, 'System')).toBeChecked();
  await expect(html(page)).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html(page)).toHaveAttribute('data-theme', 'light');
  await theme(page, 'Dark').check();
  await expect(html(page)).toHaveAttribute('data-theme', 'dark');
  await theme(page, 'System').check();
  await expect(html(page)).toHaveAttribute('data-theme', 'light');
});
