/** The upload queue as the browser tests use it. */
import { expect, type JSHandle, type Locator, type Page } from '@playwright/test';
import { pageHeading } from './screen.ts';

export const uploadCall = '**/api/v3/upload';

export async function openQueue(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await expect(pageHeading(page)).toHaveText('Upload Files');
}

export const start = (page: Page): Locator => page.getByRole('main').getByRole('button', { name: 'Upload Files' });
export const row = (page: Page, name: string): Locator =>
  page
    .getByRole('list', { name: 'Upload queue' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
export const link = (page: Page, name: string): Locator => row(page, name).getByRole('link');
export const cancel = (page: Page): Locator => page.getByRole('button', { name: /^Cancel / });
export const tray = (page: Page): Locator => page.getByRole('complementary', { name: 'Uploads' });
export const dropSign = (page: Page): Locator => page.getByText('Drop files to add them');

export async function choose(page: Page, ...names: readonly string[]): Promise<void> {
  const files = names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`I am ${name}`) }));
  await page.getByLabel('Files to upload').setInputFiles(files);
}

/** Files as a drag or a paste transfers them. */
export const carried = (page: Page, ...names: readonly string[]): Promise<JSHandle<DataTransfer>> =>
  page.evaluateHandle((fileNames) => {
    const transfer = new DataTransfer();
    for (const name of fileNames) transfer.items.add(new File(['carried'], name, { type: 'text/plain' }));
    return transfer;
  }, names);

/** Drags files or folders of this machine to the middle of the page and drops them. */
export async function dropFromDisk(page: Page, ...paths: readonly string[]): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    browser.send('Input.dispatchDragEvent', {
      type,
      x: 400,
      y: 300,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    });
  await drag('dragEnter');
  await hold(page, () => drag('dragOver'));
  await drag('drop');
  await browser.detach();
}

/** Drags files over the header until the page has noticed them. */
export async function dragOverHeader(page: Page, dataTransfer: JSHandle<DataTransfer>): Promise<void> {
  await hold(page, () => page.getByRole('banner').dispatchEvent('dragenter', { dataTransfer }));
}

/** Repeats the drag event, as a browser does several times a second, until the page shows the sign. */
async function hold(page: Page, over: () => Promise<unknown>): Promise<void> {
  await expect(async () => {
    await over();
    await expect(dropSign(page)).toBeVisible({ timeout: 300 });
  }).toPass();
}

export const paste = async (page: Page, files: JSHandle<DataTransfer>, into = 'body'): Promise<boolean> =>
  page.locator(into).evaluate((target, clipboardData) => {
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    return !target.dispatchEvent(event);
  }, files);
