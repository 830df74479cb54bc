import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '../../e2e/harness/open-browser.ts';

export const filesInQueue = 1000;

/** Where things are in the queue of uploads. */
export interface Queue {
  readonly page: Page;
  readonly start: Locator;
  /** Takes everything out of the queue. */
  readonly clear: Locator;
  /** The buttons that take one waiting file out each. */
  readonly removers: Locator;
  readonly isEmpty: Locator;
  /** Chooses 1,000 files at once, as the browser's own dialog does. */
  readonly add: () => Promise<void>;
  /** The running batch, as the page says it. */
  readonly place: () => Promise<{ readonly position: number; readonly total: number }>;
}

/** Small files in a folder of their own, to be chosen all at once. */
export async function writeQueueFiles(folder: string): Promise<readonly string[]> {
  await mkdir(folder);
  const paths = Array.from({ length: filesInQueue }, (_, at) =>
    join(folder, `note-${String(at).padStart(4, '0')}.txt`),
  );
  await Promise.all(paths.map((path) => writeFile(path, `This is ${path}`)));
  return paths;
}

/** An empty queue. */
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

/** Files are added a few at a time, so that the page answers meanwhile. */
export async function isFull({ page }: Queue): Promise<void> {
  const last = `[aria-label="Upload queue"] [aria-setsize="${filesInQueue}"]`;
  await page.locator(last).first().waitFor();
}
