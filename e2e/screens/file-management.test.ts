import type { Locator, Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import {
  box,
  deleteButton,
  deleteCall,
  everyBox,
  fallingSizes,
  favoriteCall,
  fileRow,
  fileRows,
  listCall,
  openList,
  star,
  test,
} from '../harness/library.ts';
import { toast } from '../harness/screen.ts';
import type { Site } from '../harness/site.ts';
import { expect, type Person, uploadByKey } from '../harness/test.ts';

const tile = (page: Page, label: string) =>
  page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd');

/** Uploads files of decreasing size in the given order and returns their links. */
async function uploadAll(site: Site, person: Person, ...names: readonly string[]): Promise<readonly string[]> {
  const links: string[] = [];
  for (const [index, name] of names.entries())
    links.push(await uploadByKey(site, person, name, 'x'.repeat(100 - 10 * index)));
  return links;
}

/** The edges of the text in a cell, independent of the cell's own edges. */
const textEdges = (cell: Locator): Promise<{ readonly left: number; readonly right: number }> =>
  cell.evaluate((element) => {
    const words = document.createRange();
    words.selectNodeContents(element);
    const { left, right } = words.getBoundingClientRect();
    return { left, right };
  });

test('four tiles say what is used and what the plan gives', async ({ page, site, person }) => {
  await uploadByKey(site, person, 'kelp.txt', 'x'.repeat(1_234_567));
  await openList(page);
  await expect(tile(page, 'Used Space')).toContainText(['1.23 MB', '0.2% of 500.00 MB', '']);
  await expect(tile(page, 'Used Slots')).toContainText(['1', '0.2% of 500', '']);
  await expect(tile(page, 'Max File Size')).toContainText(['100.00 MB', '']);
  await expect(tile(page, 'Max Download Speed')).toContainText(['4 Mbps', '']);
});

test('a row has the stored name above the original one, and what is known of the file', async ({
  libraryPage: page,
  library,
}) => {
  await openList(page);
  const link = library.linkOf('large.txt');
  const cells = fileRow(page, 'large.txt').getByRole('cell');
  await expect(cells.nth(1)).toHaveText(`${link.split('/').at(-1)}large.txt`);
  await expect(cells.nth(2)).toHaveText('txt');
  await expect(cells.nth(3)).toHaveText('100.00 B');
  await expect(cells.nth(4)).toHaveText('0');
  await expect(cells.nth(5)).toHaveText('Never');
  await expect(cells.nth(6)).toHaveText(/^(just now|\d+ minutes? ago)$/);
  await expect(cells.nth(1).getByRole('link')).toHaveAttribute('href', link);
});

test('many hits keep clear of the time beside them', async ({ page, site, person }) => {
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

test('a download shows up as a hit and as the last access', async ({ page, site, person }) => {
  const [link = ''] = await uploadAll(site, person, 'kelp.txt');
  await fetch(link);
  await openList(page);
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(fileRow(page, 'kelp.txt').getByRole('cell').nth(4)).toHaveText('1', { timeout: 300 });
  }).toPass();
  await expect(fileRow(page, 'kelp.txt').getByRole('cell').nth(5)).toHaveText('just now');
});

test('the newest file comes first', async ({ libraryPage: page }) => {
  await openList(page);
  await expect(page.getByRole('columnheader', { name: 'Upload Time' })).toHaveAttribute('aria-sort', 'descending');
  await expect(fileRows(page)).toHaveText(fallingSizes.toReversed());
});

test('a click on a column sorts descending, and another one ascending', async ({ libraryPage: page }) => {
  await openList(page);
  const size = page.getByRole('columnheader', { name: 'Size' });
  await expect(size).toHaveAttribute('aria-sort', 'none');
  await size.getByRole('button').click();
  await expect(fileRows(page)).toHaveText(fallingSizes);
  await expect(size).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/\/file-management\?column=size$/);
  await size.getByRole('button').click();
  await expect(fileRows(page)).toHaveText(fallingSizes.toReversed());
  await expect(size).toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL(/\/file-management\?column=size&direction=asc$/);
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/\?column=name$/);
});

test('an address brings its order along', async ({ libraryPage: page }) => {
  await openList(page, '?column=size&direction=asc');
  await expect(fileRows(page)).toHaveText(fallingSizes.toReversed());
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'ascending');
});

test('every column but the actions can be sorted by', async ({ libraryPage: page }) => {
  await openList(page);
  await expect(fileRows(page)).not.toHaveCount(0);
  await expect(page.getByRole('columnheader').getByRole('button')).toHaveText([
    'Name',
    'Type',
    'Size',
    'Hits',
    'Last Accessed',
    'Upload Time',
  ]);
  await expect(page.getByRole('columnheader', { name: 'Actions' }).getByRole('button')).toHaveCount(0);
});

test('the box above the rows takes all, none, and shows when it is some', async ({ libraryPage: page }) => {
  await openList(page);
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await expect(deleteButton(page)).toBeDisabled();
  await box(page, 'large.txt').check();
  await expect(everyBox(page)).toBeChecked({ indeterminate: true });
  await expect(deleteButton(page)).toHaveText('Delete Selected (1)');
  await everyBox(page).click();
  await expect(box(page, 'small.txt')).toBeChecked();
  await expect(everyBox(page)).toBeChecked();
  await expect(deleteButton(page)).toHaveText('Delete Selected (5)');
  await everyBox(page).click();
  await expect(box(page, 'large.txt')).not.toBeChecked();
  await expect(everyBox(page)).not.toBeChecked();
});

test('Escape that closes the account menu leaves the choice of files', async ({ libraryPage: page }) => {
  await openList(page);
  await box(page, 'small.txt').check();
  await page.getByRole('button', { name: 'Account menu' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden();
  await expect(deleteButton(page)).toHaveText('Delete Selected (1)');
  await page.keyboard.press('Escape');
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
});

test('shift takes a range, Ctrl-A all, and Escape none', async ({ libraryPage: page }) => {
  await openList(page);
  await box(page, 'large.txt').click();
  await box(page, 'small.txt').click({ modifiers: ['Shift'] });
  await expect(deleteButton(page)).toHaveText('Delete Selected (3)');
  await expect(box(page, 'medium.txt')).toBeChecked();
  await expect(box(page, 'pixel.png')).not.toBeChecked();
  await page.keyboard.press('Escape');
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await page.keyboard.press('ControlOrMeta+a');
  await expect(deleteButton(page)).toHaveText('Delete Selected (5)');
  await deleteButton(page).focus();
  await page.keyboard.press('Escape');
  await expect(deleteButton(page)).toBeDisabled();
  await expect(deleteButton(page)).toBeFocused();
});

test('shift and the space bar take a range too', async ({ libraryPage: page }) => {
  await openList(page);
  await box(page, 'large.txt').press('Space');
  await box(page, 'small.txt').press('Shift+Space');
  await expect(deleteButton(page)).toHaveText('Delete Selected (3)');
  await expect(box(page, 'small.txt')).toBeFocused();
});

test('where a row with the focus goes away, the focus goes to the list', async ({ page, site, person }) => {
  await uploadAll(site, person, 'a.txt', 'b.txt');
  await openList(page);
  await box(page, 'a.txt').focus();
  const { name } = (await (await page.request.get(`${site.url}/api/v3/rest/get-file-list`)).json()).files[1];
  await page.request.delete(`${site.url}/api/v3/rest/delete-files`, {
    headers: { 'X-API-Key': person.apiKey },
    data: { files: [name] },
  });
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(fileRows(page)).toHaveText([/b\.txt/]);
  await expect(page.getByRole('region', { name: 'Your files' })).toBeFocused();
});

test('deleting takes the chosen files and counts them', async ({ page, site, person }) => {
  const [link = ''] = await uploadAll(site, person, 'a.txt', 'b.txt', 'c.txt');
  const deleting = await holdBack(page, deleteCall);
  await openList(page);
  await box(page, 'a.txt').check();
  await box(page, 'c.txt').check();
  await deleteButton(page).click();
  await expect(deleteButton(page)).toHaveText('Deleting...');
  await expect(deleteButton(page)).toBeDisabled();
  deleting.letGo();
  await expect(toast(page, 'Deleted 2 file(s)')).toBeVisible();
  await expect(deleteButton(page)).toBeFocused();
  await expect(fileRows(page)).toHaveText([/b\.txt/]);
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await expect(tile(page, 'Used Slots').first()).toHaveText('1');
  expect((await fetch(link)).status).toBe(404);
});

test('files chosen while others are deleted stay chosen', async ({ page, site, person }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await uploadByKey(site, person, name);
  const deleting = await holdBack(page, deleteCall);
  await openList(page);
  await box(page, 'a.txt').check();
  await deleteButton(page).click();
  await expect(deleteButton(page)).toHaveText('Deleting...');
  await box(page, 'b.txt').check();
  await box(page, 'c.txt').check();
  deleting.letGo();
  await expect(toast(page, 'Deleted 1 file(s)')).toBeVisible();
  await expect(fileRows(page)).toHaveCount(2);
  await expect(deleteButton(page)).toHaveText('Delete Selected (2)');
});

test('a deletion that fails says why, and keeps the choice', async ({ libraryPage: page }) => {
  await page.route(deleteCall, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await openList(page);
  await box(page, 'large.txt').check();
  await deleteButton(page).click();
  await expect(toast(page, 'Failed to delete files')).toBeVisible();
  await page.unroute(deleteCall);
  const error = { code: 'UNAVAILABLE', message: 'The service is busy. Try again in a moment.' };
  await page.route(deleteCall, (route) => route.fulfill({ status: 503, json: { success: false, error } }));
  await expect(deleteButton(page)).toHaveText('Delete Selected (1)');
  await deleteButton(page).click();
  await expect(toast(page, error.message)).toBeVisible();
});

test('a star makes a favorite, and takes it back', async ({ page, site, person }) => {
  await uploadAll(site, person, 'a.txt');
  await openList(page);
  await star(page, 'a.txt').click();
  await expect(toast(page, 'Added to favorites')).toBeVisible();
  await page.reload();
  await expect(star(page, 'a.txt')).toHaveAttribute('aria-pressed', 'true');
  await star(page, 'a.txt').click();
  await expect(toast(page, 'Removed from favorites')).toBeVisible();
  await expect(star(page, 'a.txt')).toHaveAttribute('aria-pressed', 'false');
});

test('a star answers at once, and goes back when the server does not follow', async ({ libraryPage: page }) => {
  const answer = Promise.withResolvers<void>();
  await page.route(favoriteCall, async (route) => {
    await answer.promise;
    await route.fulfill({ status: 502, body: 'Bad gateway' });
  });
  await openList(page);
  await expect(fileRow(page, 'large.txt')).toBeVisible();
  // Hold the refresh, which would also correct the star: the star must revert without it.
  const refreshing = await holdBack(page, listCall);
  await star(page, 'large.txt').click();
  await expect(star(page, 'large.txt')).toHaveAttribute('aria-pressed', 'true');
  await expect(star(page, 'large.txt')).toBeDisabled();
  await expect(star(page, 'large.txt')).toBeFocused();
  // A second press while the first call is pending makes no second call.
  await page.keyboard.press('Enter');
  answer.resolve();
  await expect(star(page, 'large.txt')).toHaveAttribute('aria-pressed', 'false');
  refreshing.letGo();
  await expect(toast(page, 'Failed to update favorite')).toBeVisible();
});
