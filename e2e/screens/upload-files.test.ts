import type { BrowserContext, Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { cancel, choose, link, openQueue, row, start, uploadCall } from '../harness/upload-queue.ts';

test.beforeEach(({ signedInPage: page }) => openQueue(page));

/** The contents of the clipboard after a button press. */
async function readClipboard(page: Page, context: BrowserContext): Promise<string> {
  await context.grantPermissions(['clipboard-read']);
  return page.evaluate(() => navigator.clipboard.readText());
}

test('an empty queue says so, and there is nothing to upload or remove', async ({ page }) => {
  await expect(page.getByText('No files selected for upload')).toBeVisible();
  await expect(start(page)).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Remove' })).toBeDisabled();
});

test("'browse files' takes several files, each with its name and size", async ({ page }) => {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'browse files' }).click();
  const chooser = await choosing;
  expect(chooser.isMultiple()).toBe(true);
  await chooser.setFiles([
    { name: 'tide.txt', mimeType: 'text/plain', buffer: Buffer.alloc(1234) },
    { name: 'ebb.txt', mimeType: 'text/plain', buffer: Buffer.alloc(7) },
  ]);
  await expect(row(page, 'tide.txt')).toContainText('1.23 KB');
  await expect(row(page, 'ebb.txt')).toContainText('7.00 B');
  await expect(row(page, 'ebb.txt').getByRole('progressbar')).toHaveAttribute('value', '0');
  await expect(start(page)).toBeEnabled();
});

test('a file leaves the queue alone, or all leave it together', async ({ page }) => {
  await choose(page, 'a.txt', 'b.txt', 'c.txt');
  await page.getByRole('button', { name: 'Remove b.txt' }).click();
  await expect(row(page, 'b.txt')).toBeHidden();
  await expect(row(page, '')).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No files selected for upload')).toBeVisible();
});

test('files go up one at a time, in order', async ({ page }) => {
  const sending = await holdBack(page, uploadCall);
  await choose(page, 'a.txt', 'b.txt', 'c.txt');
  await start(page).click();
  for (const [index, name] of ['a.txt', 'b.txt', 'c.txt'].entries()) {
    await expect(cancel(page)).toHaveAccessibleName(`Cancel ${name}`);
    await expect(page.getByText('Waiting', { exact: true })).toHaveCount(2 - index);
    await expect(page.getByText(`${index + 1} of 3`)).toBeVisible();
    sending.letGo();
    await expect(link(page, name)).toBeVisible();
  }
});

test("while files go up the button reads 'Uploading...' and rests", async ({ page }) => {
  const sending = await holdBack(page, uploadCall);
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeDisabled();
  await choose(page, 'late.txt');
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeDisabled();
  sending.letGo(2);
  await expect(link(page, 'late.txt')).toBeVisible();
  await expect(start(page)).toBeDisabled();
});

test('a file that is up has a toast and its public link, which opens in a tab of its own', async ({
  page,
  context,
  site,
}) => {
  await choose(page, 'kelp.txt');
  await start(page).click();
  await expect(toast(page, 'kelp.txt uploaded successfully!')).toBeVisible();
  await expect(link(page, 'kelp.txt')).toHaveAttribute('target', '_blank');
  const address = (await link(page, 'kelp.txt').getAttribute('href')) ?? '';
  expect(address).toMatch(new RegExp(`^${site.url}/file/[0-9A-Za-z]{8}\\.txt$`));
  const opening = context.waitForEvent('page');
  await link(page, 'kelp.txt').click();
  const tab = await opening;
  await expect(tab.getByText('I am kelp.txt')).toBeVisible();
});

test('the link is copied by a press', async ({ page, context }) => {
  await choose(page, 'kelp.txt');
  await start(page).click();
  await page.getByRole('button', { name: 'Copy link of kelp.txt' }).click();
  await expect(toast(page, 'Link copied to clipboard!')).toBeVisible();
  expect(await readClipboard(page, context)).toBe(await link(page, 'kelp.txt').getAttribute('href'));
});

test('all links are copied as lines, as Markdown or as JSON', async ({ page, context }) => {
  await choose(page, 'a_b.txt', 'c.txt');
  await start(page).click();
  await expect(link(page, 'c.txt')).toBeVisible();
  const first = await link(page, 'a_b.txt').getAttribute('href');
  const second = await link(page, 'c.txt').getAttribute('href');
  const copied = async (format: string) => {
    await page.getByRole('button', { name: 'Copy all links' }).click();
    await page.getByRole('menuitem', { name: format }).click();
    // A click on the button of a menu that is still closing would not reopen it.
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(toast(page, 'Links copied to clipboard!').last()).toBeVisible();
    return readClipboard(page, context);
  };
  expect(await copied('Lines')).toBe(`${first}\n${second}`);
  expect(await copied('Markdown')).toBe(`- [a\\_b.txt](${first})\n- [c.txt](${second})`);
  expect(JSON.parse(await copied('JSON'))).toEqual([
    { name: 'a_b.txt', url: first },
    { name: 'c.txt', url: second },
  ]);
});

test('links that the browser will not copy are there to be copied by hand', async ({ page }) => {
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

test('after a file was taken away the focus is on the next, and at the end where files are chosen', async ({
  page,
}) => {
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

test('the focus stays on the button from the press to the end of the batch', async ({ page }) => {
  const sending = await holdBack(page, uploadCall);
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeFocused();
  sending.letGo();
  await expect(link(page, 'a.txt')).toBeVisible();
  await expect(start(page)).toBeFocused();
});
