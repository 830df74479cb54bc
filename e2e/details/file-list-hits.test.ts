import type { Locator } from '@playwright/test';
import { fileRow, openList, test, uploadAll } from '../harness/library.ts';
import { expect } from '../harness/test.ts';

/** The edges of the text in a cell, independent of the cell's own edges. */
const textEdges = (cell: Locator): Promise<{ readonly left: number; readonly right: number }> =>
  cell.evaluate((element) => {
    const words = document.createRange();
    words.selectNodeContents(element);
    const { left, right } = words.getBoundingClientRect();
    return { left, right };
  });

test('a large number of hits does not overlap the time beside it', async ({ page, site, person }) => {
  await page.setViewportSize({ width: 1100, height: 800 });
  const [link = ''] = await uploadAll(site, person, 'kelp.txt');
  const database = site.openDatabase();
  database
    .prepare('UPDATE files SET hits = 100000000, last_accessed_at = ? WHERE name = ?')
    .run(Date.now(), link.split('/').at(-1)?.split('.')[0] ?? '');
  database.close();
  await openList(page);
  const hits = await textEdges(fileRow(page, 'kelp.txt').getByRole('cell', { name: '100,000,000' }));
  const accessed = await textEdges(fileRow(page, 'kelp.txt').getByRole('cell').nth(5));
  expect(accessed.left - hits.right).toBeGreaterThanOrEqual(8);
});

test('a download is counted as a hit and shown as the last access', async ({ page, site, person }) => {
  const [link = ''] = await uploadAll(site, person, 'kelp.txt');
  await fetch(link);
  await openList(page);
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(fileRow(page, 'kelp.txt').getByRole('cell').nth(4)).toHaveText('1', { timeout: 300 });
  }).toPass();
  await expect(fileRow(page, 'kelp.txt').getByRole('cell').nth(5)).toHaveText('just now');
});
