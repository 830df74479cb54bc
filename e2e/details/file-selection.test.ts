import type { Page } from '@playwright/test';
import { box, deleteButton, fileRows, openList, star, test, uploadAll } from '../harness/library.ts';
import { readClipboard, toast } from '../harness/screen.ts';
import { expect } from '../harness/test.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Selected files' });
const inBar = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });

test('a bar offers what can be done with the selected files, and a filter shows the favorites', async ({
  page,
  context,
  site,
  person,
}) => {
  const [first = '', second = ''] = await uploadAll(site, person, 'a_b.txt', 'c.txt', 'd.txt');
  await openList(page);
  await expect(fileRows(page)).toHaveCount(3);
  await expect(bar(page)).toBeHidden();
  for (const name of ['a_b.txt', 'c.txt']) await box(page, name).check();
  await expect(bar(page)).toContainText('2 selected, 190.00 B');
  await inBar(page, 'Copy links').click();
  await inBar(page, 'BBCode').click();
  await expect(toast(page, 'Links copied to clipboard!')).toBeVisible();
  expect(await readClipboard(page, context)).toBe(`[url=${second}]c.txt[/url]\n[url=${first}]a_b.txt[/url]`);
  await inBar(page, 'Favorite').click();
  await expect(toast(page, 'Added 2 files to favorites')).toBeVisible();
  await expect(inBar(page, 'Unfavorite')).toBeVisible();
  await inBar(page, 'Clear selection').click();
  await expect(bar(page)).toBeHidden();
  await expect(star(page, 'c.txt')).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Favorites', exact: true }).click();
  await expect(fileRows(page)).toHaveText([/c\.txt/, /a_b\.txt/]);
  await expect(page).toHaveURL(/\?favorites=true$/);
  await box(page, 'c.txt').check();
  await inBar(page, 'Delete').click();
  await expect(toast(page, 'Deleted 1 file(s)')).toBeVisible();
  await expect(fileRows(page)).toHaveText([/a_b\.txt/]);
});

test('the selection can go beyond the page, and its bar and the head of the table stay in view', async ({
  longListPage: page,
}) => {
  await openList(page);
  await box(page, 'file-459.txt').check();
  await expect(inBar(page, 'Select all 460')).toBeHidden();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(deleteButton(page)).toHaveText('Delete Selected (200)');
  await inBar(page, 'Select all 460').click();
  await expect(bar(page)).toContainText('460 selected');
  await expect(deleteButton(page)).toHaveText('Delete Selected (460)');
  await box(page, 'file-300.txt').uncheck();
  await expect(bar(page)).toContainText('459 selected');
  await expect(bar(page)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('columnheader', { name: 'Size' })).toBeInViewport({ ratio: 1 });
  await inBar(page, 'Clear selection').click();
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
});

test('Tab stops once a row, and the arrow keys move within and between rows', async ({ libraryPage: page }) => {
  await openList(page);
  await box(page, 'medium.txt').focus();
  await page.keyboard.press('Tab');
  await expect(box(page, 'large.txt')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('link', { name: 'large.txt' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  await expect(star(page, 'medium.txt')).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('button', { name: 'More for medium.txt' })).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await expect(box(page, 'medium.txt')).toBeChecked();
});
