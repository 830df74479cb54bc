import type { Page } from '@playwright/test';
import { openList, test } from '../harness/library.ts';
import { toast } from '../harness/screen.ts';
import { expect } from '../harness/test.ts';

const forbidCopying = (page: Page) =>
  page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    document.execCommand = () => false;
  });

test('a click copies the link of a file', async ({ libraryPage: page, context, library }) => {
  await openList(page);
  await page.getByRole('button', { name: 'Copy link of large.txt' }).click();
  await expect(toast(page, 'Link copied to clipboard!')).toBeVisible();
  await context.grantPermissions(['clipboard-read']);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(library.linkOf('large.txt'));
});

test('the link is shown in a field and selected if the clipboard is blocked', async ({
  libraryPage: page,
  library,
}) => {
  await forbidCopying(page);
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
