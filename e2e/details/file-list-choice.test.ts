import { holdBack } from '../harness/hold-back.ts';
import { box, deleteButton, deleteCall, fileRows, openList, test } from '../harness/library.ts';
import { toast } from '../harness/screen.ts';
import { expect, uploadByKey } from '../harness/test.ts';

test('Shift selects a range, Ctrl-A selects all files, and Escape clears the selection', async ({
  libraryPage: page,
}) => {
  await openList(page);
  await box(page, 'large.txt').click();
  await box(page, 'small.txt').click({ modifiers: ['Shift'] });
  await expect(deleteButton(page)).toHaveText('Delete Selected (3)');
  await expect(box(page, 'medium.txt')).toBeChecked();
  await expect(box(page, 'pixel.png')).not.toBeChecked();
  await page.keyboard.press('Escape');
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await page.keyboard.press('ControlOrMeta+a');
  await expect(deleteButton(page)).toHaveText('Delete Selected (5)');
  await deleteButton(page).focus();
  await page.keyboard.press('Escape');
  await expect(deleteButton(page)).toBeDisabled();
  await expect(deleteButton(page)).toBeFocused();
});

test('files selected during a deletion remain selected', async ({ page, site, person }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await uploadByKey(site, person, name);
  const deleting = await holdBack(page, deleteCall);
  await openList(page);
  await box(page, 'a.txt').check();
  await deleteButton(page).click();
  await expect(deleteButton(page)).toHaveText('Deleting...');
  await box(page, 'b.txt').check();
  await box(page, 'c.txt').check();
  deleting.letGo();
  await expect(toast(page, 'Deleted 1 file(s)')).toBeVisible();
  await expect(fileRows(page)).toHaveCount(2);
  await expect(deleteButton(page)).toHaveText('Delete Selected (2)');
});
