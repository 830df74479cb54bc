/** The upload queue while a proxy responds in place of the server. */
import { expect, test, uploadPath } from '../harness/behind-relay.ts';
import { times } from '../harness/relay.ts';
import { listenForStatuses } from '../harness/screen.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { storedNames } from '../harness/stored-files.ts';
import { choose, link, openQueue, row, start } from '../harness/upload-queue.ts';

const note = 'The server is not available. Uploads resume when it responds.';
const names = Array.from({ length: 12 }, (_, index) => `${index + 10}.txt`);

test('all files are uploaded despite a server restart behind a proxy', async ({ page, person, site, relay }) => {
  await openQueue(page);
  await stopClock(page);
  await choose(page, ...names);
  await site.stop();
  await start(page).click();
  await expect(page.getByRole('status').getByText(note)).toBeVisible();
  await expect.poll(() => relay.requestsTo(uploadPath)).toBe(2);
  await page.clock.runFor(1000);
  await expect.poll(() => relay.requestsTo(uploadPath)).toBe(3);
  await expect(page).toHaveTitle(/^Waiting, 0% \(1 of 12\) /);
  await site.start();
  await page.clock.runFor(2000);
  await page.clock.resume();
  await expect(link(page, '21.txt')).toBeVisible();
  await expect(page.getByText(note)).toBeHidden();
  expect(await storedNames(site, person)).toEqual(names);
});

test('a file is uploaded despite four responses of a proxy that the server is away', async ({
  page,
  regular,
  relay,
}) => {
  await openQueue(page);
  await stopClock(page);
  relay.spoil(uploadPath, times(4, { kind: 'answer', status: 502 }));
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
