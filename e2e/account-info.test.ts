import type { Page } from '@playwright/test';
import { toast } from './harness/screen.ts';
import { expect, test } from './harness/test.ts';

const key = (page: Page) => page.getByRole('button', { name: 'Copy API key' });

test.beforeEach(async ({ signedInPage: page }) => {
  await page.goto('/dashboard/account-info');
  await expect(key(page)).toBeVisible();
});

test('it shows the email and when the account was made', async ({ page, regular }) => {
  await expect(page.getByRole('definition').nth(0)).toHaveText(regular.email);
  await expect(page.getByRole('definition').nth(1)).toHaveText(/^\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d /);
});

test('the API key is masked', async ({ page, regular }) => {
  await expect(key(page)).toHaveText(/hf_•{46}$/);
  await expect(page.getByText(regular.apiKey)).toBeHidden();
});

test('the API key shows while the pointer is on it', async ({ page, regular }) => {
  await key(page).hover();
  await expect(key(page)).toContainText(regular.apiKey);
  await page.getByRole('heading', { name: 'Account Info' }).hover();
  await expect(key(page)).not.toContainText(regular.apiKey);
});

test('the API key shows while the keyboard is on it', async ({ page, regular }) => {
  await page.getByRole('button', { name: 'Account menu' }).focus();
  await page.keyboard.press('Tab');
  await expect(key(page)).toBeFocused();
  await expect(key(page)).toContainText(regular.apiKey);
  await page.keyboard.press('Shift+Tab');
  await expect(key(page)).not.toContainText(regular.apiKey);
});

test('a click copies the API key', async ({ page, context, regular }) => {
  await key(page).click();
  await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
  await context.grantPermissions(['clipboard-read']);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(regular.apiKey);
});

test('where copying is forbidden the API key stands there to be copied by hand', async ({ page, regular }) => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    document.execCommand = () => false;
  });
  await key(page).click();
  await expect(toast(page, 'Failed to copy the API key. Select it and copy it by hand.')).toBeVisible();
  await expect(page.getByText(regular.apiKey)).toBeVisible();
});
