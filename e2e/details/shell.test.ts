import type { Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' });
const entry = (page: Page, name: string) => sidebar(page).getByRole('link', { name, exact: true });
const settings = (page: Page) => sidebar(page).getByRole('button', { name: 'Settings' });
const current = (page: Page) => page.locator('[aria-current=page]:visible');
const theme = (page: Page, name: string) => page.getByRole('group', { name: 'Theme' }).getByRole('radio', { name });
const html = (page: Page) => page.locator('html');
const phone = { width: 390, height: 800 };

for (const { path, name } of [
  { path: '/dashboard', name: 'Upload Files' },
  { path: '/dashboard/settings', name: 'Upload Files' },
  { path: '/dashboard/analytics', name: 'Upload Files' },
  { path: '/dashboard/file-management', name: 'File Management' },
  { path: '/dashboard/account-info', name: 'Account Info' },
  { path: '/dashboard/plan-info', name: 'Plan Info' },
]) {
  test(`at ${path} the sidebar marks '${name}' and nothing else`, async ({ signedInPage: page }) => {
    await page.goto(path);
    await expect(entry(page, name)).toHaveAttribute('aria-current', 'page');
    await expect(current(page)).toHaveText([name]);
  });
}

test('the Settings group opens automatically on its own pages, and can be closed', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/account-info');
  await expect(settings(page)).toHaveAttribute('aria-expanded', 'false');
  await expect(entry(page, 'Security')).toBeHidden();
  await page.goto('/dashboard/security');
  await expect(settings(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(entry(page, 'Security')).toHaveAttribute('aria-current', 'page');
  await settings(page).click();
  await expect(entry(page, 'Security')).toBeHidden();
});

test('an unknown dashboard page shows a not-found page inside the shell', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/no/such/page');
  await expect(pageHeading(page)).toHaveText("Whoops, there's nothing here...");
  await expect(sidebar(page)).toBeVisible();
  await page.getByRole('main').getByRole('link').click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('on a phone the public navigation opens as a sheet, and a link or Escape closes it', async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto('/');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await page.getByRole('button', { name: 'Open navigation' }).click();
  const sheet = page.getByRole('dialog', { name: 'Navigation' });
  await expect(sheet.getByRole('navigation').getByRole('link')).toHaveText([
    'Home',
    'About Us',
    'Speed Test',
    'Pricing',
    'API Docs',
    'FAQs',
  ]);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open navigation' })).toBeFocused();
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await sheet.getByRole('link', { name: 'FAQs' }).click();
  await expect(page).toHaveURL(/\/faqs$/);
  await expect(sheet).toBeHidden();
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
