import type { Page } from '@playwright/test';
import { holdBack } from './harness/hold-back.ts';
import { errorBox, pageHeading, toast } from './harness/screen.ts';
import type { Site } from './harness/site.ts';
import { expect, type Person, type SignedOnce, signUpOnce, test as base, uploadByKey } from './harness/test.ts';

const listCall = '**/api/v3/rest/get-file-list*';
const favoriteCall = '**/api/v3/rest/toggle-favorite';
const deleteCall = '**/api/v3/rest/delete-files';
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

interface Library extends SignedOnce {
  readonly linkOf: (name: string) => string;
}

/** `libraryPage` is the page of someone with five files that no test changes, and none of them was ever opened. */
const test = base.extend<{ libraryPage: Page }, { library: Library }>({
  library: [
    async ({ site, browser }, use) => {
      const owner = await signUpOnce(site, browser);
      const links = new Map<string, string>();
      for (const [name, bytes] of libraryFiles) links.set(name, await uploadByKey(site, owner.person, name, bytes));
      await use({ ...owner, linkOf: (name) => links.get(name) ?? '' });
    },
    { scope: 'worker' },
  ],
  libraryPage: async ({ page, context, library }, use) => {
    await context.addCookies(library.cookies);
    await use(page);
  },
});

/** The largest first, and in the order of their upload. */
const libraryFiles = [
  ['large.txt', 'x'.repeat(100)],
  ['medium.txt', 'x'.repeat(90)],
  ['small.txt', 'x'.repeat(80)],
  ['pixel.png', pixel],
  ['broken.png', 'not an image'],
] as const;
const fallingSizes = [/large/, /medium/, /small/, /pixel/, /broken/];

const deleteButton = (page: Page) => page.getByRole('button', { name: /^Delete Selected|^Deleting/ });
const everyBox = (page: Page) => page.getByRole('checkbox', { name: 'Select all files' });
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
const star = (page: Page, name: string) => page.getByRole('button', { name: `Favorite ${name}` });
const fileRows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: /\.\w+$/ }) });
const fileRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const tile = (page: Page, label: string) =>
  page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd');

/** Files of different sizes, the first uploaded first; answers their links. */
async function uploadAll(site: Site, person: Person, ...names: readonly string[]): Promise<readonly string[]> {
  const links: string[] = [];
  for (const [index, name] of names.entries())
    links.push(await uploadByKey(site, person, name, 'x'.repeat(100 - 10 * index)));
  return links;
}

async function open(page: Page, search = '') {
  await page.goto(`/dashboard/file-management${search}`);
  await expect(pageHeading(page)).toHaveText('File Management');
}

test('four tiles say what is used and what the plan gives', async ({ page, site, person }) => {
  await uploadByKey(site, person, 'kelp.txt', 'x'.repeat(1_234_567));
  await open(page);
  await expect(tile(page, 'Used Space')).toContainText(['1.23 MB', '0.2% of 500.00 MB', '']);
  await expect(tile(page, 'Used Slots')).toContainText(['1', '0.2% of 500', '']);
  await expect(tile(page, 'Max File Size')).toContainText(['100.00 MB', '']);
  await expect(tile(page, 'Max Download Speed')).toContainText(['4 Mbps', '']);
});

test('an account without files is told how to get one', async ({ page, person }) => {
  await open(page);
  await expect(page.getByText(`Welcome back ${person.email}`)).toBeVisible();
  await expect(page.getByText('No files yet')).toBeVisible();
  await expect(deleteButton(page)).toBeDisabled();
  await page.getByRole('main').getByRole('link', { name: 'Upload Files' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('while the list is on its way, rows without words keep its place', async ({ libraryPage: page }) => {
  const loading = await holdBack(page, listCall);
  await open(page);
  await expect(page.getByRole('columnheader')).toHaveCount(8);
  await expect(page.getByRole('row')).toHaveCount(7);
  await expect(everyBox(page)).toBeDisabled();
  loading.letGo();
  await expect(page.getByRole('row')).toHaveCount(1 + libraryFiles.length);
});

test('a row has the stored name above the original one, and what is known of the file', async ({
  libraryPage: page,
  library,
}) => {
  await open(page);
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

test('a download shows up as a hit and as the last access', async ({ page, site, person }) => {
  const [link = ''] = await uploadAll(site, person, 'kelp.txt');
  await fetch(link);
  await open(page);
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(fileRow(page, 'kelp.txt').getByRole('cell').nth(4)).toHaveText('1', { timeout: 300 });
  }).toPass();
  await expect(fileRow(page, 'kelp.txt').getByRole('cell').nth(5)).toHaveText('just now');
});

test('the newest file comes first', async ({ libraryPage: page }) => {
  await open(page);
  await expect(page.getByRole('columnheader', { name: 'Upload Time' })).toHaveAttribute('aria-sort', 'descending');
  await expect(fileRows(page)).toHaveText(fallingSizes.toReversed());
});

test('a click on a column sorts descending, and another one ascending', async ({ libraryPage: page }) => {
  await open(page);
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
  await open(page, '?column=size&direction=asc');
  await expect(fileRows(page)).toHaveText(fallingSizes.toReversed());
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'ascending');
});

test('every column but the actions can be sorted by', async ({ libraryPage: page }) => {
  await open(page);
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
  await open(page);
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

test('shift takes a range, Ctrl-A all, and Escape none', async ({ libraryPage: page }) => {
  await open(page);
  await box(page, 'large.txt').click();
  await box(page, 'small.txt').click({ modifiers: ['Shift'] });
  await expect(deleteButton(page)).toHaveText('Delete Selected (3)');
  await expect(box(page, 'medium.txt')).toBeChecked();
  await expect(box(page, 'pixel.png')).not.toBeChecked();
  await page.keyboard.press('Escape');
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await page.keyboard.press('ControlOrMeta+a');
  await expect(deleteButton(page)).toHaveText('Delete Selected (5)');
});

test('deleting takes the chosen files and counts them', async ({ page, site, person }) => {
  const [link = ''] = await uploadAll(site, person, 'a.txt', 'b.txt', 'c.txt');
  const deleting = await holdBack(page, deleteCall);
  await open(page);
  await box(page, 'a.txt').check();
  await box(page, 'c.txt').check();
  await deleteButton(page).click();
  await expect(deleteButton(page)).toHaveText('Deleting...');
  await expect(deleteButton(page)).toBeDisabled();
  deleting.letGo();
  await expect(toast(page, 'Deleted 2 file(s)')).toBeVisible();
  await expect(fileRows(page)).toHaveText([/b\.txt/]);
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await expect(tile(page, 'Used Slots').first()).toHaveText('1');
  expect((await fetch(link)).status).toBe(404);
});

test('a deletion that fails says why, and keeps the choice', async ({ libraryPage: page }) => {
  await page.route(deleteCall, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await open(page);
  await box(page, 'large.txt').check();
  await deleteButton(page).click();
  await expect(toast(page, 'Failed to delete files')).toBeVisible();
  await page.unroute(deleteCall);
  const error = { code: 'RATE_LIMITED', message: 'Too many requests. Slow down and try again.' };
  await page.route(deleteCall, (route) => route.fulfill({ status: 429, json: { success: false, error } }));
  await expect(deleteButton(page)).toHaveText('Delete Selected (1)');
  await deleteButton(page).click();
  await expect(toast(page, error.message)).toBeVisible();
});

test('a star makes a favorite, and takes it back', async ({ page, site, person }) => {
  await uploadAll(site, person, 'a.txt');
  await open(page);
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
  await open(page);
  await expect(fileRow(page, 'large.txt')).toBeVisible();
  // A fresh list would mend the star too: it goes back without one.
  const refreshing = await holdBack(page, listCall);
  await star(page, 'large.txt').click();
  await expect(star(page, 'large.txt')).toHaveAttribute('aria-pressed', 'true');
  await expect(star(page, 'large.txt')).toBeDisabled();
  answer.resolve();
  await expect(star(page, 'large.txt')).toHaveAttribute('aria-pressed', 'false');
  refreshing.letGo();
  await expect(toast(page, 'Failed to update favorite')).toBeVisible();
});

test('a link is copied by a press', async ({ libraryPage: page, context, library }) => {
  await open(page);
  await page.getByRole('button', { name: 'Copy link of large.txt' }).click();
  await expect(toast(page, 'Link copied to clipboard!')).toBeVisible();
  await context.grantPermissions(['clipboard-read']);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(library.linkOf('large.txt'));
});

test('where copying is forbidden the link stands in a field, selected', async ({ libraryPage: page, library }) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    document.execCommand = () => false;
  });
  await open(page);
  await page.getByRole('button', { name: 'Copy link of large.txt' }).click();
  await expect(toast(page, 'Failed to copy link')).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Copy link of large.txt' });
  await expect(field).toHaveValue(library.linkOf('large.txt'));
  await expect(field).toBeFocused();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(library.linkOf('large.txt'));
});

test('the pointer on the name of an image shows it, which is not a hit', async ({ libraryPage: page }) => {
  await open(page);
  const looking = page.waitForRequest(/\/file\/\w+\?no-count=true$/);
  await page.getByRole('link', { name: 'pixel.png' }).hover();
  await expect(page.getByRole('img', { name: 'Preview of pixel.png' })).toBeVisible();
  await looking;
  await page.getByRole('button', { name: 'Refresh' }).hover();
  await expect(page.getByRole('img', { name: 'Preview of pixel.png' })).toBeHidden();
});

test('a preview also opens for the keyboard', async ({ libraryPage: page }) => {
  await open(page);
  await box(page, 'pixel.png').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'pixel.png' })).toBeFocused();
  await expect(page.getByRole('img', { name: 'Preview of pixel.png' })).toBeVisible();
});

test('an image that does not come leaves a placeholder', async ({ libraryPage: page }) => {
  await open(page);
  await page.getByRole('link', { name: 'broken.png' }).hover();
  await expect(page.getByLabel('The preview could not be loaded')).toBeVisible();
});

test('other files have no preview, and say so', async ({ libraryPage: page }) => {
  await open(page);
  await page.getByRole('link', { name: 'large.txt' }).hover();
  await expect(page.getByText('Preview unavailable for this file type')).toBeVisible();
});

test("with 'Previews' off none opens", async ({ libraryPage: page }) => {
  await open(page);
  await expect(page.getByRole('switch', { name: 'Previews' })).toBeChecked();
  await page.getByRole('switch', { name: 'Previews' }).uncheck();
  await page.clock.install();
  await page.getByRole('link', { name: 'large.txt' }).hover();
  await page.clock.runFor(1000);
  await expect(page.getByText('Preview unavailable for this file type')).toBeHidden();
});

test('a list that cannot be loaded says why and what to do', async ({ libraryPage: page }) => {
  const error = { code: 'INVALID_INPUT', message: 'The sea is too rough.' };
  await page.route(listCall, (route) => route.fulfill({ status: 400, json: { success: false, error } }));
  await open(page);
  await expect(errorBox(page)).toContainText('The list could not be loaded');
  await expect(errorBox(page)).toContainText(error.message);
  await expect(page.getByText('No files yet')).toBeHidden();
  await page.unroute(listCall);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(fileRow(page, 'large.txt')).toBeVisible();
  await expect(errorBox(page)).toBeHidden();
});

test('when a refresh fails the rows stay', async ({ libraryPage: page }) => {
  await open(page);
  await expect(fileRow(page, 'large.txt')).toBeVisible();
  await page.route(listCall, (route) => route.fulfill({ status: 400, json: { success: false } }));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(errorBox(page)).toContainText('The list could not be refreshed');
  await expect(fileRow(page, 'large.txt')).toBeVisible();
});

test('more than 200 files go on on another page', async ({ page, site, person }) => {
  await uploadAll(site, person, 'oldest.txt');
  const upload = async () => {
    for (let file = 0; file < 50; file += 1) await uploadByKey(site, person, 'x.txt', 'x');
  };
  await Promise.all([upload(), upload(), upload(), upload()]);
  await open(page);
  await expect(page.getByText('1–200 of 201 files')).toBeVisible();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(page.getByText('201–201 of 201 files')).toBeVisible();
  await expect(fileRows(page)).toHaveText([/oldest/]);
  await expect(page.getByRole('link', { name: 'Next' })).toHaveAttribute('aria-disabled', 'true');
  await box(page, 'oldest.txt').check();
  await deleteButton(page).click();
  await expect(page.getByText('There is nothing on page 2')).toBeVisible();
  await page.getByRole('link', { name: 'Go to the last page' }).click();
  await expect(page.getByText('200 files')).toBeVisible();
});

test('on a phone the files are cards, with everything that a row can do', async ({ page, site, person }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await uploadAll(site, person, 'large.txt', 'small.txt');
  await open(page);
  const cards = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
  await expect(page.getByRole('table')).toBeHidden();
  await expect(cards).toHaveText([/small\.txt/, /large\.txt/]);
  await expect(cards.first()).toContainText('90.00 B');
  await expect(cards.first()).toContainText('Never');
  await page.getByLabel('Sort by').selectOption('Size');
  await expect(cards).toHaveText([/large\.txt/, /small\.txt/]);
  await page.getByRole('button', { name: 'Descending, switch to ascending' }).click();
  await expect(cards).toHaveText([/small\.txt/, /large\.txt/]);
  await star(page, 'small.txt').click();
  await expect(star(page, 'small.txt')).toHaveAttribute('aria-pressed', 'true');
  await box(page, 'large.txt').check();
  await expect(everyBox(page)).toBeChecked({ indeterminate: true });
  await deleteButton(page).click();
  await expect(cards).toHaveText([/small\.txt/]);
});
