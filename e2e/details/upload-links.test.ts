import { toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { choose, link, openQueue, start } from '../harness/upload-queue.ts';

test.beforeEach(({ signedInPage: page }) => openQueue(page));

test('links are shown for manual copying if the clipboard is blocked', async ({ page }) => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    document.execCommand = () => false;
  });
  await choose(page, 'a.txt', 'b.txt');
  await start(page).click();
  await expect(link(page, 'b.txt')).toBeVisible();
  const first = await link(page, 'a.txt').getAttribute('href');
  const second = await link(page, 'b.txt').getAttribute('href');
  await page.getByRole('button', { name: 'Copy all links' }).click();
  await page.getByRole('menuitem', { name: 'Lines' }).click();
  await expect(toast(page, 'Failed to copy links')).toBeVisible();
  const field = page.getByRole('textbox', { name: 'All links, to copy by hand' });
  await expect(field).toHaveValue(`${first}\n${second}`);
  await expect(field).toBeFocused();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(`${first}\n${second}`);
  await page.getByRole('button', { name: 'Copy link of a.txt' }).click();
  await expect(toast(page, 'Failed to copy link')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Copy link of a.txt' })).toHaveValue(first ?? '');
});
