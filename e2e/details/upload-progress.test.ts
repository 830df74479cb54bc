import { holdBack, holdBackAnswers } from '../harness/hold-back.ts';
import { toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { cancel, choose, link, openQueue, row, start, uploadCall } from '../harness/upload-queue.ts';

test.beforeEach(({ signedInPage: page }) => openQueue(page));

test('an uploading file shows its percentage, speed and remaining time', async ({ page, context }) => {
  const browser = await context.newCDPSession(page);
  const line = { offline: false, latency: 0, downloadThroughput: -1 };
  await browser.send('Network.enable');
  await browser.send('Network.emulateNetworkConditions', { ...line, uploadThroughput: 200_000 });
  const buffer = Buffer.alloc(1_500_000);
  await page.getByLabel('Files to upload').setInputFiles({ name: 'reef.txt', mimeType: 'text/plain', buffer });
  await start(page).click();
  await expect(row(page, 'reef.txt').getByText(/^[1-9]\d?%$/)).toBeVisible();
  await expect(row(page, 'reef.txt').getByText(/^\d+\.\d [KM]B\/s$/)).toBeVisible();
  await expect(row(page, 'reef.txt').getByText(/^\d+ s left$/)).toBeVisible();
  await browser.send('Network.emulateNetworkConditions', { ...line, uploadThroughput: -1 });
  await page.getByRole('button', { name: 'Cancel reef.txt' }).or(link(page, 'reef.txt')).first().waitFor();
});

test('a processing message is shown between the last byte and the response', async ({ page }) => {
  const answering = await holdBackAnswers(page, '*/api/v3/upload');
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeDisabled();
  await expect(row(page, 'a.txt')).toContainText('Server processing file, please wait...');
  answering.letGo();
  await expect(link(page, 'a.txt')).toBeVisible();
});

test('files that the plan refuses are marked in the queue and can still be sent', async ({ page }) => {
  const words = 'The Free plan does not accept .exe files.';
  await choose(page, 'setup.exe');
  await expect(row(page, 'setup.exe')).toContainText(words);
  await expect(start(page)).toBeEnabled();
  await start(page).click();
  await expect(toast(page, `setup.exe upload failed: ${words}`)).toBeVisible();
  await expect(row(page, 'setup.exe')).toContainText(words);
  await expect(page.getByRole('button', { name: 'Remove setup.exe' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Retry/ })).toHaveCount(0);
  await expect(page.getByText('1 failed')).toBeVisible();
});

test('a lost connection pauses the queue, which resumes automatically', async ({ page, context }) => {
  const sending = await holdBack(page, uploadCall);
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(cancel(page)).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText(pausedWords)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Paused' })).toBeVisible();
  await expect(cancel(page)).toBeHidden();
  sending.letGo(2);
  await context.setOffline(false);
  await expect(link(page, 'a.txt')).toBeVisible();
  await expect(page.getByText(pausedWords)).toBeHidden();
});

const pausedWords = 'Uploads continue when you reconnect.';
