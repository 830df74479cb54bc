/** Uploads that the server has stored without the browser receiving the response. */
import { holdBackAnswers } from '../harness/hold-back.ts';
import { expect, test, uploadPath } from '../harness/behind-relay.ts';
import { times } from '../harness/relay.ts';
import { toast } from '../harness/screen.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { storedFiles, storedNames } from '../harness/stored-files.ts';
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
    await expect(row(page, 'kelp.txt')).toContainText('Waiting. It may already be stored.');
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
  relay.spoil(uploadPath, () => lost);
  await choose(page, 'reef.txt');
  await start(page).click();
  await expect(page.getByText('No response from server. Please check your connection.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(toast(page, 'reef.txt was sent in full and may be stored. Check your files.')).toBeVisible();
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
