import type { Page } from '@playwright/test';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from '../harness/test.ts';
import {
  carried,
  dropFromDisk,
  dragOverHeader,
  dropSign,
  link,
  openQueue,
  paste,
  row,
  start,
  tray,
} from '../harness/upload-queue.ts';

/** A folder on the disk that contains another folder and files that operating systems leave behind. */
const test = base.extend<{ folder: string }>({
  // oxlint-disable-next-line no-empty-pattern -- the framework reads the names of this parameter
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-folder-'));
    await mkdir(join(folder, 'deep'));
    for (const name of ['a.txt', '.DS_Store', 'Thumbs.db', 'deep/b.txt', 'deep/desktop.ini'])
      await writeFile(join(folder, name), 'carried');
    await use(folder);
    await rm(folder, { recursive: true });
  },
});

test.beforeEach(({ signedInPage: page }) => openQueue(page));

test('files can be dropped anywhere on the page', async ({ page }) => {
  const files = await carried(page, 'dropped.txt');
  await dragOverHeader(page, files);
  await dropSign(page).dispatchEvent('drop', { dataTransfer: files });
  await expect(dropSign(page)).toBeHidden();
  await expect(row(page, 'dropped.txt')).toContainText('7.00 B');
});

test('a dropped folder adds its files except those of the operating system', async ({ page, folder }) => {
  await dropFromDisk(page, folder);
  await expect(row(page, 'b.txt')).toBeVisible();
  await expect(row(page, '')).toHaveText([/^a\.txt/, /^b\.txt/]);
});

/** Drags and drops a file before anything that the drag makes the page load can have arrived. */
const dropAtOnce = (page: Page): Promise<readonly boolean[]> =>
  page.getByRole('banner').evaluate((target) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'x.txt'));
    const event = (type: string) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
    return [target.dispatchEvent(event('dragover')), target.dispatchEvent(event('drop'))];
  });

test('a file dropped on a public page is added to the queue of a signed-in user', async ({ page, folder }) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();
  // The page prevented the browser's default for both, which would have left the page to open the file.
  expect(await dropAtOnce(page)).toEqual([false, false]);
  await expect(tray(page)).toContainText('1 file waiting');
  await dropFromDisk(page, join(folder, 'a.txt'));
  await expect(tray(page)).toContainText('2 files waiting');
  await expect(page).toHaveURL('/no/such/page');
});

test('a clipboard with text and an image is pasted into a field as text', async ({ page }) => {
  await page.goto('/dashboard/security');
  const both = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['carried'], 'picture.png', { type: 'image/png' }));
    transfer.setData('text/plain', 'words');
    return transfer;
  });
  const field = 'input[autocomplete="new-password"]';
  await expect(page.locator(field)).toBeVisible();
  expect(await paste(page, both, field)).toBe(false);
  expect(await paste(page, both)).toBe(true);
  await expect(tray(page)).toContainText('1 file waiting');
});

test('pasted text becomes a file on the upload page alone', async ({ page }) => {
  await page.goto('/dashboard/security');
  await expect(page.locator('input[autocomplete="new-password"]')).toBeVisible();
  const text = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.setData('text/plain', 'low tide at noon');
    return transfer;
  });
  expect(await paste(page, text)).toBe(false);
  await page.getByRole('link', { name: 'Upload Files' }).click();
  await expect(start(page)).toBeVisible();
  expect(await paste(page, text)).toBe(true);
  await expect(row(page, 'paste.txt')).toContainText('16.00 B');
  await start(page).click();
  await expect(link(page, 'paste.txt')).toBeVisible();
});
