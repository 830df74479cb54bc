import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { box, deleteButton, fileRows, filterBox, listCall, openList, test } from '../harness/library.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { expect, uploadByKey } from '../harness/test.ts';

const spoken = (page: Page, words: string) => page.locator('[aria-live=polite]').getByText(words, { exact: true });

test('the filter matches names and types, and is kept in the URL', async ({ libraryPage: page }) => {
  await openList(page);
  await filterBox(page).fill('MED');
  await expect(fileRows(page)).toHaveText([/medium/]);
  await expect(page).toHaveURL(/\?search=MED$/);
  await expect(spoken(page, '1 file found')).toBeAttached();
  await filterBox(page).fill('png');
  await expect(fileRows(page)).toHaveText([/broken/, /pixel/]);
  await expect(page.getByText('2 found', { exact: true })).toBeVisible();
  await expect(spoken(page, '2 files found')).toBeAttached();
  await page.reload();
  await expect(filterBox(page)).toHaveValue('png');
  await expect(fileRows(page)).toHaveText([/broken/, /pixel/]);
});

test('a newer filter aborts the older request, and the rows are kept until the response', async ({
  libraryPage: page,
}) => {
  await openList(page);
  await expect(fileRows(page)).toHaveCount(5);
  const answers = await holdBack(page, listCall);
  const older = page.waitForRequest(/search=larg/);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('search=larg'));
  await filterBox(page).fill('larg');
  await older;
  await filterBox(page).fill('small');
  await ended;
  await expect(fileRows(page)).toHaveCount(5);
  answers.letGo(2);
  await expect(fileRows(page)).toHaveText([/small/]);
});

test('Clear filter shows all files again after a filter without matches', async ({ libraryPage: page }) => {
  await openList(page, '?search=octopus');
  await expect(page.getByText('No file matches')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('No file name or type contains octopus.');
  await expect(page.getByText('No files yet')).toBeHidden();
  await expect(spoken(page, '0 files found')).toBeAttached();
  await page.getByRole('button', { name: 'Clear filter' }).press('Enter');
  await expect(fileRows(page)).toHaveCount(5);
  await expect(filterBox(page)).toHaveValue('');
  await expect(page).toHaveURL(/file-management$/);
  await expect(page.getByRole('region', { name: 'Your files' })).toBeFocused();
});

test("'/' focuses the filter, and Escape clears only the filter", async ({ libraryPage: page }) => {
  await openList(page);
  await box(page, 'pixel.png').check();
  await page.keyboard.press('/');
  await expect(filterBox(page)).toBeFocused();
  await page.keyboard.type('png/');
  await expect(filterBox(page)).toHaveValue('png/');
  await page.keyboard.press('Backspace');
  await expect(fileRows(page)).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(filterBox(page)).toHaveValue('');
  await expect(filterBox(page)).toBeFocused();
  await expect(fileRows(page)).toHaveCount(5);
  await expect(deleteButton(page)).toHaveText('Delete Selected (1)');
});

test('a long name with many words finds its file', async ({ page, person, site }) => {
  const name = 'What I did on my holiday in the south of France 24.txt';
  for (const each of [name, 'kelp.txt']) await uploadByKey(site, person, each);
  await openList(page);
  await filterBox(page).fill(name);
  await expect(fileRows(page)).toHaveText([/holiday/]);
  await expect(filterBox(page)).toHaveValue(name);
});

test('a word that is being composed is searched when it is complete, and Escape keeps the filter', async ({
  libraryPage: page,
}) => {
  await openList(page);
  await expect(fileRows(page)).toHaveCount(5);
  await filterBox(page).focus();
  await stopClock(page);
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('search=') && asked.push(request.url()));
  const keyboard = await page.context().newCDPSession(page);
  await keyboard.send('Input.imeSetComposition', { text: 'med', selectionStart: 3, selectionEnd: 3 });
  await expect(filterBox(page)).toHaveValue('med');
  await page.clock.runFor(1000);
  await filterBox(page).dispatchEvent('keydown', { key: 'Escape', isComposing: true });
  await expect(filterBox(page)).toHaveValue('med');
  expect(asked).toEqual([]);
  await keyboard.send('Input.insertText', { text: 'medium' });
  await page.clock.runFor(1000);
  await expect(fileRows(page)).toHaveText([/medium/]);
});
