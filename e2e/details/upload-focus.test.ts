import { holdBack } from '../harness/hold-back.ts';
import { expect, test } from '../harness/test.ts';
import { choose, link, openQueue, start, uploadCall } from '../harness/upload-queue.ts';

test.beforeEach(({ signedInPage: page }) => openQueue(page));

test("removing a file focuses the next file, and removing the last focuses 'browse files'", async ({ page }) => {
  await choose(page, 'a.txt', 'b.txt', 'c.txt');
  const remove = (name: string) => page.getByRole('button', { name: `Remove ${name}` });
  await remove('b.txt').click();
  await expect(remove('c.txt')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(remove('a.txt')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'browse files' })).toBeFocused();
  await choose(page, 'd.txt');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('button', { name: 'browse files' })).toBeFocused();
});

test('the upload button keeps the focus from the press to the end of the batch', async ({ page }) => {
  const sending = await holdBack(page, uploadCall);
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeFocused();
  sending.letGo();
  await expect(link(page, 'a.txt')).toBeVisible();
  await expect(start(page)).toBeFocused();
});
