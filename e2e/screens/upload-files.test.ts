import type { BrowserContext, Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { cancel, choose, link, openQueue, row, start, uploadCall } from '../harness/upload-queue.ts';

/** The contents of the clipboard after a button press. */
async function readClipboard(page: Page, context: BrowserContext): Promise<string> {
  await context.grantPermissions(['clipboard-read']);
  return page.evaluate(() => navigator.clipboard.readText());
}

test.beforeEach(({ signedInPage: page }) => openQueue(page));

test('an empty queue shows a message, and its buttons are disabled', async ({ page }) => {
  await expect(page.getByText('No files selected for upload')).toBeVisible();
  await expect(start(page)).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Remove' })).toBeDisabled();
});

test("'browse files' adds several files, each with its name and size", async ({ page }) => {
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

test('a single file or all files can be removed from the queue', async ({ page }) => {
  await choose(page, 'a.txt', 'b.txt', 'c.txt');
  await page.getByRole('button', { name: 'Remove b.txt' }).click();
  await expect(row(page, 'b.txt')).toBeHidden();
  await expect(row(page, '')).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No files selected for upload')).toBeVisible();
});

test('files are uploaded one at a time, in order', async ({ page }) => {
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

test('an uploaded file has a toast and a public link that opens in a new tab', async ({ page, context, site }) => {
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

test('a click copies the link', async ({ page, context }) => {
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
  const copyAs = async (format: string) => {
    await page.getByRole('button', { name: 'Copy all links' }).click();
    await page.getByRole('menuitem', { name: format }).click();
    // A click on the button of a menu that is still closing would not reopen it.
    await expect(page.getByRole('menu')).toHaveCount(0);
  };
  const clipboard = () => readClipboard(page, context);
  await copyAs('Lines');
  await expect(toast(page, 'Links copied to clipboard!')).toBeVisible();
  await expect.poll(clipboard).toBe(`${first}\n${second}`);
  await copyAs('Markdown');
  await expect.poll(clipboard).toBe(`- [a\\_b.txt](${first})\n- [c.txt](${second})`);
  await copyAs('JSON');
  await expect(async () =>
    expect(JSON.parse(await clipboard())).toEqual([
      { name: 'a_b.txt', url: first },
      { name: 'c.txt', url: second },
    ]),
  ).toPass();
});
