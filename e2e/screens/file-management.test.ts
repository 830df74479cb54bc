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

test('a row shows a file; columns sort, and the checkbox above the rows selects all or none', async ({
  libraryPage: page,
  library,
}) => {
  await openList(page);
  const link = library.linkOf('large.txt');
  const cells = fileRow(page, 'large.txt').getByRole('gridcell');
  await expect(cells.nth(1)).toHaveText(`${link.split('/').at(-1)}large.txt`);
  await expect(cells.nth(1).getByRole('link')).toHaveAttribute('href', link);
  await expect(cells.nth(2)).toHaveText('txt');
  await expect(cells.nth(3)).toHaveText('100.00 B');
  await expect(cells.nth(4)).toHaveText('0');
  await expect(cells.nth(5)).toHaveText('Never');
  await expect(cells.nth(6)).toHaveText(/^(just now|\d+ minutes? ago)$/);

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

  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await expect(deleteButton(page)).toBeDisabled();
  await box(page, 'large.txt').check();
  await expect(everyBox(page)).toBeChecked({ indeterminate: true });
  await everyBox(page).click();
  await expect(box(page, 'small.txt')).toBeChecked();
  await expect(everyBox(page)).toBeChecked();
  await expect(deleteButton(page)).toHaveText('Delete Selected (5)');
  await everyBox(page).click();
  await expect(box(page, 'large.txt')).not.toBeChecked();
  await expect(everyBox(page)).not.toBeChecked();
});

test('files are starred and deleted, and four tiles show the usage and the limits of the plan', async ({
  page,
  site,
  person,
}) => {
  const [link = ''] = await uploadAll(site, person, 'a.txt', 'b.txt', 'c.txt');
  await uploadByKey(site, person, 'kelp.txt', 'x'.repeat(1_234_567));
  const deleting = await holdBack(page, deleteCall);
  await openList(page);
  await star(page, 'b.txt').click();
  await expect(toast(page, 'Added to favorites')).toBeVisible();
  await expect(star(page, 'b.txt')).toHaveAttribute('aria-pressed', 'true');
  await star(page, 'b.txt').click();
  await expect(toast(page, 'Removed from favorites')).toBeVisible();
  await expect(star(page, 'b.txt')).toHaveAttribute('aria-pressed', 'false');

  for (const name of ['a.txt', 'b.txt', 'c.txt']) await box(page, name).check();
  await deleteButton(page).click();
  await expect(deleteButton(page)).toHaveText('Deleting...');
  await expect(deleteButton(page)).toBeDisabled();
  deleting.letGo();
  await expect(toast(page, 'Deleted 3 file(s)')).toBeVisible();
  await expect(deleteButton(page)).toBeFocused();
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await expect(fileRows(page)).toHaveText([/kelp\.txt/]);
  expect((await fetch(link)).status).toBe(404);
  await expect(usageTile(page, 'Used Space')).toContainText(['1.23 MB', '0.2% of 500.00 MB', '']);
  await expect(usageTile(page, 'Used Slots')).toContainText(['1', '0.2% of 500', '']);
  await expect(usageTile(page, 'Max File Size')).toContainText(['100.00 MB', '']);
  await expect(usageTile(page, 'Max Download Speed')).toContainText(['4 Mbps', '']);
});
