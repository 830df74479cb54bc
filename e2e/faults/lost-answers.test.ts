/** Uploads that the server has stored without the browser receiving the response. */
import { standardPlans } from '@holdfast/contract/src/plans.ts';
import { holdBackAnswers } from '../harness/hold-back.ts';
import { expect, test, uploadPath } from '../harness/behind-relay.ts';
import { times } from '../harness/relay.ts';
import type { Site } from '../harness/site.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { deleteStored, storedFiles, storedNames } from '../harness/stored-files.ts';
import type { Person } from '../harness/test.ts';
import { choose, link, openQueue, row, start } from '../harness/upload-queue.ts';

const lost = { kind: 'lost answer' } as const;
const hint = 'All of it was sent, so it may be stored. Retry to get its link.';

test('a file whose response is lost twice is stored once, and its row shows the link', async ({
  page,
  person,
  relay,
  site,
}) => {
  await page.clock.install();
  await openQueue(page);
  relay.spoil(uploadPath, times(2, lost));
  await choose(page, 'kelp.txt');
  await start(page).click();
  await expect.poll(() => relay.requestsTo(uploadPath)).toBeGreaterThan(1);
  await page.clock.runFor(4000);
  await expect(link(page, 'kelp.txt')).toBeVisible();
  const stored = await storedFiles(site, person);
  expect(stored).toHaveLength(1);
  await expect(link(page, 'kelp.txt')).toHaveAttribute('href', new RegExp(`/file/${stored[0]?.name}\\b`));
});

test('if every response is lost, the row says the file may be stored; a retry shows its link', async ({
  page,
  person,
  relay,
  site,
}) => {
  await openQueue(page);
  await stopClock(page);
  relay.spoil(uploadPath, () => lost);
  await choose(page, 'kelp.txt');
  await start(page).click();
  for (const wait of [1000, 2000]) {
    await expect(page.getByText('No response from server. Please check your connection.')).toBeVisible();
    await expect(row(page, 'kelp.txt')).toContainText('Waiting');
    await page.clock.runFor(wait);
  }
  await page.clock.resume();
  await expect(row(page, 'kelp.txt')).toContainText(
    'No response from server. The file may be stored: retry to get its link.',
  );
  relay.mend();
  await page.getByRole('button', { name: 'Retry kelp.txt' }).click();
  await expect(link(page, 'kelp.txt')).toBeVisible();
  expect(await storedNames(site, person)).toEqual(['kelp.txt']);
});

test('a file canceled after it was sent is stored once, and a retry shows its link', async ({ page, person, site }) => {
  await openQueue(page);
  const answers = await holdBackAnswers(page, `*${uploadPath}`);
  await choose(page, 'kelp.txt');
  await start(page).click();
  await expect.poll(() => storedNames(site, person)).toEqual(['kelp.txt']);
  await expect(row(page, 'kelp.txt')).toContainText('Server processing file, please wait...');
  await page.getByRole('button', { name: 'Cancel kelp.txt' }).click();
  await expect(row(page, 'kelp.txt')).toContainText('Upload canceled');
  await expect(row(page, 'kelp.txt')).toContainText(hint);
  answers.letGo(2);
  await page.getByRole('button', { name: 'Retry kelp.txt' }).click();
  await expect(link(page, 'kelp.txt')).toBeVisible();
  const [stored, ...others] = await storedFiles(site, person);
  expect(others).toEqual([]);
  await expect(link(page, 'kelp.txt')).toHaveAttribute('href', new RegExp(`/file/${stored?.name}\\b`));
});

test('a file that was stored, canceled and deleted is stored again by a second retry', async ({
  page,
  person,
  site,
}) => {
  await openQueue(page);
  const answers = await holdBackAnswers(page, `*${uploadPath}`);
  await choose(page, 'kelp.txt');
  await start(page).click();
  await expect.poll(() => storedNames(site, person)).toEqual(['kelp.txt']);
  await page.getByRole('button', { name: 'Cancel kelp.txt' }).click();
  answers.letGo(3);
  await deleteStored(site, person);
  await page.getByRole('button', { name: 'Retry kelp.txt' }).click();
  await expect(row(page, 'kelp.txt')).toContainText(
    'It was stored and has been deleted since. Retry to store it again.',
  );
  await page.getByRole('button', { name: 'Retry kelp.txt' }).click();
  await expect(link(page, 'kelp.txt')).toBeVisible();
  expect(await storedNames(site, person)).toEqual(['kelp.txt']);
});

test('Continuous Uploading deletes one file per upload even if responses are lost', async ({
  page,
  person,
  relay,
  site,
}) => {
  await page.clock.install();
  await openQueue(page);
  leaveRoomFor(site, person, 5);
  const names = Array.from({ length: 15 }, (_, index) => `${index + 10}.txt`);
  await choose(page, ...names.slice(0, 5));
  await start(page).click();
  await expect(link(page, '14.txt')).toBeVisible();
  for (const [round, name] of names.slice(5).entries()) {
    relay.spoil(uploadPath, times(2, lost));
    await choose(page, name);
    await start(page).click();
    await expect(async () => {
      await page.clock.runFor(1000);
      await expect(link(page, name)).toBeVisible({ timeout: 200 });
    }).toPass({ intervals: [10] });
    // One older file was deleted for it, not one for each attempt.
    expect(await storedNames(site, person)).toEqual(names.slice(round + 1, round + 6));
  }
});

/** Leaves quota for this number of files, with Continuous Uploading on. */
function leaveRoomFor(site: Site, { email }: Person, files: number): void {
  site.fill(email, { bytes: 0, files: standardPlans.free.slotsQuota - files });
  using database = site.openDatabase();
  database.prepare('UPDATE accounts SET continuous_uploading = 1 WHERE email_key = ?').run(email.toLowerCase());
}
