import type { Page } from '@playwright/test';
import { box, deleteButton, fileRows, openList, test } from '../harness/library.ts';
import { expect } from '../harness/test.ts';

const list = (page: Page) => page.getByRole('region', { name: 'Your files' });
const pager = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
const spoken = (page: Page, words: string) => page.locator('[aria-live=polite]').getByText(words, { exact: true });

test('a list of more than 200 files has several pages', async ({ longListPage: page }) => {
  await openList(page);
  await expect(page.getByText('1–200 of 460 files')).toBeVisible();
  await expect(pager(page).getByRole('link', { name: 'Previous' })).toBeDisabled();
  await pager(page).getByRole('link', { name: 'Next' }).press('Enter');
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(list(page)).toBeFocused();
  await expect(spoken(page, 'Page 2 of 3, 460 files')).toBeAttached();
  await expect(fileRows(page).first()).toContainText('file-259.txt');
  await expect(page.getByText('201–400 of 460 files')).toBeVisible();
  await pager(page).getByRole('link', { name: 'Last page' }).click();
  await expect(page).toHaveURL(/\?page=3$/);
  await expect(fileRows(page).last()).toContainText('file-000.txt');
  await expect(pager(page).getByRole('link', { name: 'Next' })).toBeDisabled();
  await pager(page).getByRole('link', { name: 'Previous' }).click();
  await expect(page).toHaveURL(/\?page=2$/);
  await pager(page).getByRole('link', { name: 'First page' }).click();
  await expect(page).toHaveURL(/file-management$/);
  await page.goBack();
  await expect(fileRows(page).first()).toContainText('file-259.txt');
  const field = pager(page).getByRole('textbox', { name: 'Page, of 3' });
  for (const typed of ['700', '', 'kelp']) {
    await field.fill(typed);
    await field.press('Enter');
    await expect(field).toHaveValue('3');
  }
});

test('only the rows near the viewport of a long page are rendered', async ({ longListPage: page }) => {
  await openList(page, '?limit=500');
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '461');
  await expect(fileRows(page).first()).toHaveAttribute('aria-rowindex', '2');
  expect(await fileRows(page).count()).toBeLessThan(50);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await list(page).getByText('460 files', { exact: true }).scrollIntoViewIfNeeded();
  await expect(fileRows(page).last()).toContainText('file-000.txt');
  await expect(fileRows(page).last()).toHaveAttribute('aria-rowindex', '461');
  expect(await fileRows(page).count()).toBeLessThan(50);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height);
});

test('Ctrl-A and range selection include rows that are not rendered', async ({ longListPage: page }) => {
  await openList(page, '?limit=500');
  await box(page, 'file-459.txt').click();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(deleteButton(page)).toHaveText('Delete Selected (460)');
  await page.keyboard.press('Escape');
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await box(page, 'file-459.txt').click();
  await list(page).getByText('460 files', { exact: true }).scrollIntoViewIfNeeded();
  await box(page, 'file-001.txt').click({ modifiers: ['Shift'] });
  await expect(deleteButton(page)).toHaveText('Delete Selected (459)');
});
