import { box, openList, test } from '../harness/library.ts';
import { toast } from '../harness/screen.ts';
import { expect } from '../harness/test.ts';

test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    document.execCommand = () => false;
  }),
);

test('the API key is shown for manual copying', async ({ signedInPage: page, regular }) => {
  await page.goto('/dashboard/account-info');
  await page.getByRole('button', { name: 'Copy API key' }).click();
  await expect(toast(page, 'Failed to copy the API key. Select it and copy it by hand.')).toBeVisible();
  await expect(page.getByText(regular.apiKey)).toBeVisible();
});

test('the link of a file is shown in a field and selected', async ({ libraryPage: page, library }) => {
  await openList(page);
  await page.getByRole('button', { name: 'Copy link of large.txt' }).click();
  await expect(toast(page, 'Failed to copy link')).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Copy link of large.txt' });
  await expect(field).toHaveValue(library.linkOf('large.txt'));
  await expect(field).toBeFocused();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(library.linkOf('large.txt'));
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  await expect(page.getByRole('button', { name: 'Copy link of large.txt' })).toBeFocused();
});

test('the links of selected files are shown in a field and selected', async ({ libraryPage: page, library }) => {
  await openList(page);
  for (const name of ['medium.txt', 'small.txt']) await box(page, name).check();
  const button = page.getByRole('button', { name: 'Copy links' });
  await button.click();
  await page.getByRole('button', { name: 'Plain text' }).click();
  await expect(toast(page, 'Failed to copy links')).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Links to copy' });
  await expect(field).toHaveValue(['small.txt', 'medium.txt'].map(library.linkOf).join('\n'));
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  await expect(button).toBeFocused();
  await expect(box(page, 'small.txt')).toBeChecked();
});
