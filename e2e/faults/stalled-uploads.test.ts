/** Connections on which nothing passes any more, without an error. */
import { tusPath } from '@holdfast/contract/src/resumable.ts';
import type { Page } from '@playwright/test';
import { expect, test, uploadPath } from '../harness/behind-relay.ts';
import type { DiskFolder } from '../harness/disk-folder.ts';
import { times } from '../harness/relay.ts';
import { passTimeUntil, soon, stopClock } from '../harness/stop-clock.ts';
import { storedNames } from '../harness/stored-files.ts';
import { choose, link, openQueue, row, start } from '../harness/upload-queue.ts';

/** More than the system buffers from a browser before the other side has read any of it. */
const size = 48_000_000;

const stall = { kind: 'stall', afterBytes: size / 4 } as const;
const file = (page: Page) => row(page, 'reef.zip');
const silent = (page: Page) => page.getByText('No response from server. Please check your connection.');

async function sendLargeFile(page: Page, disk: DiskFolder): Promise<void> {
  await openQueue(page);
  await stopClock(page);
  await page.getByLabel('Files to upload').setInputFiles(await disk.write('reef.zip', Buffer.alloc(size)));
  await start(page).click();
}

/**
 * The browser keeps sending for a moment after the relay has stopped reading, and each byte restarts the ten seconds.
 * The short steps of time let the row show what was sent.
 */
async function hasStoppedSending(page: Page): Promise<void> {
  let shown = '';
  let same = 0;
  await expect(async () => {
    await page.clock.runFor(100);
    const now = (await file(page).textContent()) ?? '';
    same = now === shown ? same + 1 : 0;
    shown = now;
    expect(same).toBe(6);
  }).toPass({ intervals: [100] });
}

async function isStalled(page: Page): Promise<void> {
  await hasStoppedSending(page);
  await page.clock.runFor(9000);
  await passTimeUntil(page, 1000, () => expect(file(page)).toContainText(/\d%Stalled$/, soon));
}

/**
 * Advances in steps shorter than the second after which the upload is sent again. A busy browser shows 'Stalled' some
 * steps late, so the first leap ends five seconds early.
 */
async function isSilent(page: Page, patienceMs = 45_000): Promise<void> {
  await page.clock.runFor(patienceMs - 15_000);
  await passTimeUntil(page, 900, () => expect(silent(page)).toBeVisible(soon));
}

test('an upload without progress is shown as stalled after 10 seconds and resent after 45', async ({
  page,
  person,
  disk,
  relay,
  site,
}) => {
  relay.spoil(uploadPath, times(1, stall));
  await sendLargeFile(page, disk);
  await expect.poll(() => relay.stalled).toBe(1);
  await page.clock.runFor(9000);
  await expect(file(page).getByText('Stalled')).toBeHidden();
  await isStalled(page);
  await passTimeUntil(page, 300, () => expect(page).toHaveTitle(/^Waiting, \d+% /, soon));
  await isSilent(page);
  await page.clock.runFor(1000);
  await expect.poll(() => storedNames(site, person)).toEqual(['reef.zip']);
  await page.clock.runFor(1000);
  await expect(link(page, 'reef.zip')).toBeVisible();
  expect([relay.requestsTo(uploadPath), relay.requestsTo(tusPath)]).toEqual([1, 1]);
});

test('a small file that was sent on a dead connection is sent again, after others, when 45 seconds have passed', async ({
  page,
  person,
  relay,
  site,
}) => {
  relay.spoil(uploadPath, times(1, { kind: 'stall', afterBytes: 0 }));
  await openQueue(page);
  await stopClock(page);
  await choose(page, 'kelp.txt', 'reef.txt');
  await start(page).click();
  await expect.poll(() => relay.stalled).toBe(1);
  await expect(row(page, 'kelp.txt')).toContainText('Server processing file, please wait...');
  await page.clock.runFor(46_000);
  await expect(silent(page)).toBeVisible();
  await page.clock.runFor(1000);
  await expect.poll(() => storedNames(site, person)).toEqual(['reef.txt', 'kelp.txt']);
});
