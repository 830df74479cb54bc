import { box, deleteButton, openList, test } from '../harness/library.ts';
import { expect } from '../harness/test.ts';

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
