/** The upload queue while a proxy responds in place of the server. */
import { expect, test, uploadPath } from '../harness/behind-relay.ts';
import { times } from '../harness/relay.ts';
import { listenForStatuses, toast } from '../harness/screen.ts';
import { passTimeUntil, soon, stopClock } from '../harness/stop-clock.ts';
import { storedNames } from '../harness/stored-files.ts';
import { choose, link, openQueue, row, start, tray } from '../harness/upload-queue.ts';

const note = 'The server is not available. Uploads resume when it responds.';
const names = Array.from({ length: 12 }, (_, index) => `${index + 10}.txt`);

test('all files are uploaded despite a server restart behind a proxy', async ({ page, person, site, relay }) => {
  await openQueue(page);
  await stopClock(page);
  await choose(page, ...names);
  await site.stop();
  await start(page).click();
  await expect(page.getByRole('status').getByText(note)).toBeVisible();
  await expect.poll(() => relay.requestsTo(uploadPath)).toBe(1);
  await page.clock.runFor(1000);
  await expect.poll(() => relay.requestsTo(uploadPath)).toBe(2);
  await expect(page).toHaveTitle(/^Waiting, 0% \(1 of 12\) /);
  await site.start();
  await page.clock.runFor(2000);
  await page.clock.resume();
  await expect(link(page, '21.txt')).toBeVisible();
  await expect(page.getByText(note)).toBeHidden();
  expect(await storedNames(site, person)).toEqual(names);
});

for (const status of [500, 502, 503, 504])
  test(`a file is uploaded despite four ${status} responses of a proxy`, async ({ page, regular, relay }) => {
    await openQueue(page);
    await stopClock(page);
    relay.spoil(uploadPath, times(4, { kind: 'answer', status }));
    await choose(page, 'a.txt');
    const answers = listenForStatuses(page, uploadPath);
    await start(page).click();
    for (const [tries, wait] of [1000, 2000, 4000, 8000].entries()) {
      await expect.poll(() => answers.length).toBe(tries + 1);
      await expect(page.getByText(note), regular.email).toBeVisible();
      await expect(row(page, 'a.txt')).toContainText('Waiting');
      await page.clock.runFor(wait);
    }
    await page.clock.resume();
    await expect(link(page, 'a.txt')).toBeVisible();
    await expect(page.getByText(note)).toBeHidden();
  });

test('the queue does not retry before the Retry-After of the server', async ({ page, regular, relay }) => {
  await openQueue(page);
  await stopClock(page);
  relay.spoil(uploadPath, times(1, { kind: 'answer', status: 503, retryAfter: 120 }));
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(page.getByText(note), regular.email).toBeVisible();
  await page.clock.runFor(119_000);
  await expect(row(page, 'a.txt')).toContainText('Waiting');
  expect(relay.requestsTo(uploadPath)).toBe(1);
  await page.clock.runFor(1000);
  await page.clock.resume();
  await expect(link(page, 'a.txt')).toBeVisible();
});

test('a 503 from the API pauses the queue as well', async ({ signedInPage: page }) => {
  await openQueue(page);
  await stopClock(page);
  await page.route(
    `**${uploadPath}`,
    (route) => route.fulfill({ status: 503, json: { success: false, error: 'Not available right now.' } }),
    { times: 1 },
  );
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(page.getByText(note)).toBeVisible();
  await page.clock.runFor(1000);
  await page.clock.resume();
  await expect(link(page, 'a.txt')).toBeVisible();
});

test("the tray shows an unavailable server on other pages, and 'Try now' retries at once", async ({
  page,
  regular,
  relay,
}) => {
  await openQueue(page);
  await stopClock(page);
  relay.spoil(uploadPath, times(1, { kind: 'answer', status: 502 }));
  await choose(page, 'a.txt', 'b.txt');
  await start(page).click();
  await expect(page.getByText(note), regular.email).toBeVisible();
  await page.getByRole('link', { name: 'Account Info' }).click();
  await expect(tray(page)).toContainText('Server not available, waiting 1 of 2');
  await tray(page).getByRole('link', { name: 'Show' }).click();
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect.poll(() => relay.requestsTo(uploadPath)).toBeGreaterThan(1);
  await passTimeUntil(page, 50, () => expect(link(page, 'b.txt')).toBeVisible(soon));
  await expect(toast(page, 'a.txt uploaded successfully!')).toBeVisible();
});

test('on a phone the note and the tray are no wider than the screen', async ({ page, regular, relay }) => {
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await page.setViewportSize({ width: 320, height: 700 });
  await openQueue(page);
  await stopClock(page);
  relay.spoil(uploadPath, () => ({ kind: 'answer', status: 502 }));
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(page.getByText(note), regular.email).toBeVisible();
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Account Info' }).click();
  await expect(tray(page)).toContainText('Server not available, waiting 1 of 1');
  expect(await overflow()).toBeLessThanOrEqual(0);
});
