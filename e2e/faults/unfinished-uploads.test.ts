/** Large files, which go on where they stopped. */
import { calls } from '@holdfast/contract/src/calls.ts';
import { tusPath } from '@holdfast/contract/src/resumable.ts';
import type { Page } from '@playwright/test';
import { createHash, randomBytes } from 'node:crypto';
import { stat, utimes } from 'node:fs/promises';
import { expect, test } from '../harness/behind-relay.ts';
import type { Relay } from '../harness/relay.ts';
import { storedNames } from '../harness/stored-files.ts';
import { link, openQueue, row, start } from '../harness/upload-queue.ts';

const bytes = randomBytes(70_000_000);
const firstPiece = 64_000_000;

const unfinished = (page: Page) => page.getByRole('list', { name: 'Unfinished uploads' });

async function sendFirstPiece(page: Page, relay: Relay, path: string): Promise<void> {
  await openQueue(page);
  relay.spoil(tusPath, ({ headers }) =>
    headers['upload-offset'] === String(firstPiece) ? { kind: 'cut', afterBytes: 0 } : undefined,
  );
  await page.getByLabel('Files to upload').setInputFiles(path);
  const second = page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH');
  await start(page).click();
  await second;
}

async function continueWith(page: Page, path: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await unfinished(page).getByRole('button', { name: 'Continue reef.zip' }).click();
  await (await choosing).setFiles(path);
}

test('a large file is continued where it stopped after a kill of the server and a reload', async ({
  page,
  relay,
  person,
  disk,
  site,
}) => {
  const path = await disk.write('reef.zip', bytes);
  await sendFirstPiece(page, relay, path);
  page.once('dialog', (dialog) => void dialog.accept());
  await site.stop('SIGKILL');
  await site.start();
  await page.reload();
  // Until now the page itself may have sent the rest.
  relay.mend();
  await expect(unfinished(page)).toContainText('64.00 MB of 70.00 MB');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.headers()['upload-offset'] ?? '');
  });
  await continueWith(page, path);
  await expect(link(page, 'reef.zip')).toBeVisible();
  await expect(unfinished(page)).toBeHidden();
  expect(sent).toEqual([String(firstPiece)]);
  const href = (await link(page, 'reef.zip').getAttribute('href')) ?? '';
  const digest = await (await fetch(`${site.url}${new URL(href).pathname}.sha256`)).text();
  expect(digest).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(await storedNames(site, person)).toEqual(['reef.zip']);
});

test('a large file goes on when the browser is online again, and after a pause', async ({
  page,
  relay,
  person,
  disk,
  context,
  site,
}) => {
  await sendFirstPiece(page, relay, await disk.write('reef.zip', bytes));
  await context.setOffline(true);
  await expect(page.getByText('Uploads continue when you reconnect.')).toBeVisible();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  relay.mend();
  await context.setOffline(false);
  await expect(page.getByText('Paused', { exact: true }).first()).toBeVisible();
  await expect(row(page, 'reef.zip').getByRole('progressbar')).toHaveAttribute('value', '91.4');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(link(page, 'reef.zip')).toBeVisible();
  expect(await storedNames(site, person)).toEqual(['reef.zip']);
});

test('a paused file shows what the server has, without what was on its way', async ({
  signedInPage: page,
  context,
  disk,
}) => {
  await openQueue(page);
  await page.getByLabel('Files to upload').setInputFiles(await disk.write('reef.zip', bytes));
  const browser = await context.newCDPSession(page);
  await browser.send('Network.enable');
  const line = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 3_000_000 };
  await browser.send('Network.emulateNetworkConditions', line);
  await start(page).click();
  await expect(row(page, 'reef.zip')).toContainText(/[1-9]\d?%/);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const stored = async () => {
    const answer = await page.request.get(calls.getUnfinishedUploads.path);
    const { uploads } = (await answer.json()) as { uploads: { stored: number }[] };
    return ((uploads[0]?.stored ?? 0) / bytes.length) * 100;
  };
  await expect.poll(stored).toBeGreaterThan(0);
  await expect(row(page, 'reef.zip')).toContainText(`${Math.floor(await stored())}% sent. Waiting`);
});

test('a file that has changed under the same name, size and time is offered as a new upload', async ({
  page,
  relay,
  person,
  disk,
  site,
}) => {
  const path = await disk.write('reef.zip', bytes);
  await sendFirstPiece(page, relay, path);
  page.once('dialog', (dialog) => void dialog.accept());
  relay.mend();
  await page.reload();
  const { atime, mtime } = await stat(path);
  await disk.write('reef.zip', Buffer.from(bytes).fill('changed', 0, 7));
  await utimes(path, atime, mtime);
  await continueWith(page, path);
  await expect(unfinished(page)).toContainText('It has changed since. Upload it as a new file?');
  await page.getByRole('button', { name: 'Upload as new' }).click();
  await expect(unfinished(page)).toBeHidden();
  await start(page).click();
  await expect(link(page, 'reef.zip')).toBeVisible();
  expect(await storedNames(site, person)).toEqual(['reef.zip']);
});
