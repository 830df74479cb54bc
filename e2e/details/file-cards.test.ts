import { box, deleteButton, everyBox, openList, star, test } from '../harness/library.ts';
import { expect, uploadByKey } from '../harness/test.ts';

test('on a phone the files are cards that can be sorted, starred, selected and deleted', async ({
  page,
  site,
  person,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await uploadByKey(site, person, 'large.txt', 'x'.repeat(100));
  await uploadByKey(site, person, 'small.txt', 'x'.repeat(90));
  await openList(page);
  const cards = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
  await expect(page.getByRole('table')).toBeHidden();
  await expect(cards).toHaveText([/small\.txt/, /large\.txt/]);
  await expect(cards.first()).toContainText('90.00 B');
  await expect(cards.first()).toContainText('Never');
  await expect(cards.first().getByRole('definition').first()).toHaveText('txt');
  await page.getByLabel('Sort by').selectOption('Size');
  await expect(cards).toHaveText([/large\.txt/, /small\.txt/]);
  await page.getByRole('button', { name: 'Descending, switch to ascending' }).click();
  await expect(cards).toHaveText([/small\.txt/, /large\.txt/]);
  await star(page, 'small.txt').click();
  await expect(star(page, 'small.txt')).toHaveAttribute('aria-pressed', 'true');
  await box(page, 'large.txt').check();
  await expect(everyBox(page)).toBeChecked({ indeterminate: true });
  await deleteButton(page).click();
  await expect(cards).toHaveText([/small\.txt/]);
});

test('on a phone the sort menu shows the column in the URL and can change it', async ({ libraryPage: page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openList(page, '?column=favorite');
  await expect(page.getByLabel('Sort by')).toHaveValue('Favorite');
  await page.getByLabel('Sort by').selectOption('Type');
  await expect(page).toHaveURL(/\?column=file_extension$/);
});
