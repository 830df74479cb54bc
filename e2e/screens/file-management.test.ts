import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import {
  box,
  deleteButton,
  deleteCall,
  everyBox,
  fallingSizes,
  fileRow,
  fileRows,
  openList,
  star,
  test,
  uploadAll,
} from '../harness/library.ts';
import { toast } from '../harness/screen.ts';
import { expect, uploadByKey } from '../harness/test.ts';

const usageTile = (page: Page, label: string) =>
  page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd');

test('four tiles show the usage and the limits of the plan', async ({ page, site, person }) => {
  await uploadByKey(site, person, 'kelp.txt', 'x'.repeat(1_234_567));
  await openList(page);
  await expect(usageTile(page, 'Used Space')).toContainText(['1.23 MB', '0.2% of 500.00 MB', '']);
  await expect(usageTile(page, 'Used Slots')).toContainText(['1', '0.2% of 500', '']);
  await expect(usageTile(page, 'Max File Size')).toContainText(['100.00 MB', '']);
  await expect(usageTile(page, 'Max Download Speed')).toContainText(['4 Mbps', '']);
});

test('a row shows both names, type, size, hits, last access and upload time of a file', async ({
  libraryPage: page,
  library,
}) => {
  await openList(page);
  const link = library.linkOf('large.txt');
  const cells = fileRow(page, 'large.txt').getByRole('cell');
  await expect(cells.nth(1)).toHaveText(`${link.split('/').at(-1)}large.txt`);
  await expect(cells.nth(2)).toHaveText('txt');
  await expect(cells.nth(3)).toHaveText('100.00 B');
  await expect(cells.nth(4)).toHaveText('0');
  await expect(cells.nth(5)).toHaveText('Never');
  await expect(cells.nth(6)).toHaveText(/^(just now|\d+ minutes? ago)$/);
  await expect(cells.nth(1).getByRole('link')).toHaveAttribute('href', link);
});

test('a first click on a column sorts descending, and a second click ascending', async ({ libraryPage: page }) => {
  await openList(page);
  const size = page.getByRole('columnheader', { name: 'Size' });
  await expect(size).toHaveAttribute('aria-sort', 'none');
  await size.getByRole('button').click();
  await expect(fileRows(page)).toHaveText(fallingSizes);
  await expect(size).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/\/file-management\?column=size$/);
  await size.getByRole('button').click();
  await expect(fileRows(page)).toHaveText(fallingSizes.toReversed());
  await expect(size).toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL(/\/file-management\?column=size&direction=asc$/);
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/\?column=name$/);
});

test('the checkbox above the rows selects all or none, and shows a partial selection', async ({
  libraryPage: page,
}) => {
  await openList(page);
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await expect(deleteButton(page)).toBeDisabled();
  await box(page, 'large.txt').check();
  await expect(everyBox(page)).toBeChecked({ indeterminate: true });
  await expect(deleteButton(page)).toHaveText('Delete Selected (1)');
  await everyBox(page).click();
  await expect(box(page, 'small.txt')).toBeChecked();
  await expect(everyBox(page)).toBeChecked();
  await expect(deleteButton(page)).toHaveText('Delete Selected (5)');
  await everyBox(page).click();
  await expect(box(page, 'large.txt')).not.toBeChecked();
  await expect(everyBox(page)).not.toBeChecked();
});

test('the selected files are deleted and counted', async ({ page, site, person }) => {
  const [link = ''] = await uploadAll(site, person, 'a.txt', 'b.txt', 'c.txt');
  const deleting = await holdBack(page, deleteCall);
  await openList(page);
  await box(page, 'a.txt').check();
  await box(page, 'c.txt').check();
  await deleteButton(page).click();
  await expect(deleteButton(page)).toHaveText('Deleting...');
  await expect(deleteButton(page)).toBeDisabled();
  deleting.letGo();
  await expect(toast(page, 'Deleted 2 file(s)')).toBeVisible();
  await expect(deleteButton(page)).toBeFocused();
  await expect(fileRows(page)).toHaveText([/b\.txt/]);
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await expect(usageTile(page, 'Used Slots').first()).toHaveText('1');
  expect((await fetch(link)).status).toBe(404);
});

test('a star adds a file to the favorites and removes it again', async ({ page, site, person }) => {
  await uploadAll(site, person, 'a.txt');
  await openList(page);
  await star(page, 'a.txt').click();
  await expect(toast(page, 'Added to favorites')).toBeVisible();
  await page.reload();
  await expect(star(page, 'a.txt')).toHaveAttribute('aria-pressed', 'true');
  await star(page, 'a.txt').click();
  await expect(toast(page, 'Removed from favorites')).toBeVisible();
  await expect(star(page, 'a.txt')).toHaveAttribute('aria-pressed', 'false');
});
