import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@holdfast/test-support/open-browser.ts';

export const filesInQueue = 1000;

/** Locators in the queue of uploads. */
export interface Queue {
  readonly page: Page;
  readonly start: Locator;
  /** Removes all files from the queue. */
  readonly clear: Locator;
  /** The buttons that each remove one waiting file. */
  readonly removers: Locator;
  readonly isEmpty: Locator;
  /** Selects 1,000 files at once, as the browser's file dialog does. */
  readonly add: () => Promise<void>;
  /** The running batch, as shown on the page. */
  readonly place: () => Promise<{ readonly position: number; readonly total: number }>;
}

/** Writes small files into their own folder, to be selected all at once. */
export async function writeQueueFiles(folder: string): Promise<readonly string[]> {
  await mkdir(folder);
  const paths = Array.from({ length: filesInQueue }, (_, at) =>
    join(folder, `note-${String(at).padStart(4, '0')}.txt`),
  );
  await Promise.all(paths.map((path) => writeFile(path, `This is ${path}`)));
  return paths;
}

/** Opens the page with an empty queue. */
export async function openQueue(page: Page, paths: readonly string[]): Promise<Queue> {
  await page.goto('/dashboard');
  const main = page.getByRole('main');
  const choice = page.getByLabel('Files to upload');
  await choice.waitFor({ state: 'attached' });
  return {
    page,
    start: main.getByRole('button', { name: 'Upload Files' }),
    clear: main.getByRole('button', { name: 'Remove', exact: true }),
    removers: main.getByRole('button', { name: /^Remove note-/ }),
    isEmpty: main.getByText('No files selected for upload'),
    add: () => choice.setInputFiles([...paths]),
    async place() {
      const said = await main.getByText(/^[\d,]+ of [\d,]+$/).innerText();
      const [position = Number.NaN, total = Number.NaN] = said.replaceAll(',', '').split(' of ').map(Number);
      return { position, total };
    },
  };
}

/** Waits for the last file: files are added a few at a time, so that the page responds meanwhile. */
export async function isFull({ page }: Queue): Promise<void> {
  const last = `[aria-label="Upload queue"] [aria-setsize="${filesInQueue}"]`;
  await page.locator(last).first().waitFor();
}
