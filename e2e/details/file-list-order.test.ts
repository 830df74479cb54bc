import { fallingSizes, fileRows, openList, test } from '../harness/library.ts';
import { expect } from '../harness/test.ts';

test('the newest file comes first', async ({ libraryPage: page }) => {
  await openList(page);
  await expect(page.getByRole('columnheader', { name: 'Upload Time' })).toHaveAttribute('aria-sort', 'descending');
  await expect(fileRows(page)).toHaveText(fallingSizes.toReversed());
});

test('the sort order is read from the URL', async ({ libraryPage: page }) => {
  await openList(page, '?column=size&direction=asc');
  await expect(fileRows(page)).toHaveText(fallingSizes.toReversed());
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'ascending');
});

test('every column except Actions can be sorted', async ({ libraryPage: page }) => {
  await openList(page);
  await expect(fileRows(page)).not.toHaveCount(0);
  await expect(page.getByRole('columnheader').getByRole('button')).toHaveText([
    'Name',
    'Type',
    'Size',
    'Hits',
    'Last Accessed',
    'Upload Time',
  ]);
  await expect(page.getByRole('columnheader', { name: 'Actions' }).getByRole('button')).toHaveCount(0);
});
