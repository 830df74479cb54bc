import type { Page } from '@playwright/test';
import { expect, test as base } from '../harness/keyboard.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { type SignedOnce, signUpOnce, uploadByKey } from '../harness/test.ts';

const listCall = '**/api/v3/rest/get-file-list*';
const names = ['delta.txt', 'coral.png', 'bight.txt', 'anemone.txt'];

/** The page of an account whose files no test deletes. The newest, and therefore first, is anemone.txt. */
const test = base.extend<{ libraryPage: Page; library: SignedOnce }>({
  library: async ({ keeper, site, browser }, use) => {
    const make = async () => {
      const owner = await signUpOnce(site, browser);
      for (const [index, name] of names.entries()) await uploadByKey(site, owner.person, name, 'x'.repeat(1 + index));
      return owner;
    };
    await use(await keeper.keep('library by keyboard', make));
  },
  libraryPage: async ({ page, context, library }, use) => {
    await context.addCookies(library.cookies);
    await use(page);
  },
});

const main = (page: Page) => page.getByRole('main');
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
const everyBox = (page: Page) => page.getByRole('checkbox', { name: 'Select all files' });
const star = (page: Page, name: string) => page.getByRole('button', { name: `Favorite ${name}` });
const copy = (page: Page, name: string) => page.getByRole('button', { name: `Copy link of ${name}` });
const fileLink = (page: Page, name: string) => page.getByRole('link', { name });
const fileRows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: /\.\w+$/ }) });
const deleteButton = (page: Page) => main(page).getByRole('button', { name: /^Delet/ });
const column = (page: Page, name: string) => page.getByRole('columnheader', { name });

async function open(page: Page, search = '') {
  await page.goto(`/dashboard/file-management${search}`);
  await expect(pageHeading(page)).toHaveText('File Management');
  await expect(page.getByRole('checkbox', { name: /\.\w+$/ }).first()).toBeVisible();
}

test('a column header sorts the list and keeps the focus', async ({ libraryPage: page, keyboard }) => {
  await open(page);
  const size = column(page, 'Size').getByRole('button');
  await keyboard.tabTo(size);
  await keyboard.press('Enter');
  await expect(column(page, 'Size')).toHaveAttribute('aria-sort', 'descending');
  await expect(fileRows(page)).toHaveText([/anemone\.txt/, /bight\.txt/, /coral\.png/, /delta\.txt/]);
  await keyboard.expectAt(size);
  await keyboard.press('Space');
  await expect(column(page, 'Size')).toHaveAttribute('aria-sort', 'ascending');
  await expect(fileRows(page)).toHaveText([/delta\.txt/, /coral\.png/, /bight\.txt/, /anemone\.txt/]);
  await keyboard.expectAt(size);
});

test('Space selects a file, Shift+Space a range, Ctrl-A all files; Escape clears the selection', async ({
  libraryPage: page,
  keyboard,
}) => {
  await open(page);
  await keyboard.tabTo(box(page, 'anemone.txt'));
  await keyboard.press('Space');
  await expect(deleteButton(page)).toHaveText('Delete Selected (1)');
  await keyboard.tabTo(box(page, 'coral.png'));
  await keyboard.press('Shift+Space');
  await expect(deleteButton(page)).toHaveText('Delete Selected (3)');
  await expect(box(page, 'bight.txt')).toBeChecked();
  await expect(box(page, 'delta.txt')).not.toBeChecked();
  await keyboard.press('Escape');
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await keyboard.press('ControlOrMeta+a');
  await expect(deleteButton(page)).toHaveText('Delete Selected (4)');
  await keyboard.expectAt(box(page, 'coral.png'));
  await keyboard.tabBackTo(everyBox(page));
  await keyboard.press('Space');
  await expect(deleteButton(page)).toHaveText('Delete Selected (0)');
  await keyboard.press('Space');
  await expect(box(page, 'delta.txt')).toBeChecked();
  await keyboard.expectAt(everyBox(page));
});

test('a star can be set and cleared, and keeps the focus', async ({ libraryPage: page, keyboard }) => {
  await open(page);
  await keyboard.tabTo(star(page, 'bight.txt'));
  await keyboard.press('Enter');
  await expect(toast(page, 'Added to favorites')).toBeVisible();
  await keyboard.expectAt(star(page, 'bight.txt'));
  await keyboard.press('Space');
  await expect(toast(page, 'Removed from favorites')).toBeVisible();
  await expect(star(page, 'bight.txt')).toHaveAttribute('aria-pressed', 'false');
  await keyboard.expectAt(star(page, 'bight.txt'));
});

test('a link can be copied or opened in a new tab', async ({ libraryPage: page, context, keyboard }) => {
  await open(page);
  await keyboard.tabTo(copy(page, 'bight.txt'));
  await keyboard.press('Enter');
  await expect(toast(page, 'Link copied to clipboard!')).toBeVisible();
  await keyboard.expectAt(copy(page, 'bight.txt'));
  await context.grantPermissions(['clipboard-read']);
  const link = await fileLink(page, 'bight.txt').getAttribute('href');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await keyboard.tabBackTo(fileLink(page, 'bight.txt'));
  const opening = context.waitForEvent('page');
  await page.keyboard.press('Enter');
  await expect((await opening).getByText('xxx')).toBeVisible();
});

test('focusing a name opens its preview, Escape closes it, and a switch turns previews off', async ({
  libraryPage: page,
  keyboard,
}) => {
  const preview = page.getByText('Preview unavailable for this file type');
  await open(page);
  await keyboard.tabTo(fileLink(page, 'bight.txt'));
  await expect(preview).toBeVisible();
  await keyboard.press('Tab');
  await expect(preview).toBeHidden();
  await keyboard.press('Shift+Tab');
  await expect(preview).toBeVisible();
  await keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await keyboard.expectAt(fileLink(page, 'bight.txt'));
  const previews = page.getByRole('switch', { name: 'Previews' });
  await keyboard.tabBackTo(previews);
  await keyboard.press('Space');
  await expect(previews).not.toBeChecked();
  await keyboard.expectAt(previews);
  await page.clock.install();
  await keyboard.tabTo(fileLink(page, 'bight.txt'));
  await page.clock.runFor(1000);
  await expect(preview).toBeHidden();
});

test('Refresh loads the list again and keeps the focus', async ({ libraryPage: page, keyboard }) => {
  await open(page);
  await keyboard.tabTo(page.getByRole('button', { name: 'Refresh' }));
  const asked = page.waitForResponse(listCall);
  await keyboard.press('Enter');
  await asked;
  await expect(page.getByRole('button', { name: 'Refresh' })).not.toHaveAttribute('aria-busy', 'true');
  await keyboard.expectAt(page.getByRole('button', { name: 'Refresh' }));
});

test('Escape clears the filter, which keeps the focus', async ({ libraryPage: page, keyboard }) => {
  await open(page);
  const filter = main(page).getByRole('searchbox');
  await keyboard.tabTo(filter);
  await keyboard.type('coral.png');
  await expect(fileRows(page)).toHaveText([/coral\.png/]);
  await keyboard.expectAt(filter);
  await keyboard.press('Escape');
  await expect(filter).toHaveValue('');
  await expect(fileRows(page)).toHaveCount(names.length);
  await keyboard.expectAt(filter);
});

test('pages can be turned, and the focus is visible afterwards', async ({ page, site, person, keyboard }) => {
  await uploadByKey(site, person, 'oldest.txt');
  const upload = async () => {
    for (let file = 0; file < 50; file += 1) await uploadByKey(site, person, 'x.txt');
  };
  await Promise.all([upload(), upload(), upload(), upload()]);
  const turn = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });
  await open(page);
  for (const [there, back] of [
    ['Next', 'Previous'],
    ['Last page', 'First page'],
  ] as const) {
    // The pagination follows two hundred files, so it is closer from the end of the page.
    await keyboard.tabBackTo(turn(there));
    await keyboard.press('Enter');
    await expect(fileRows(page)).toHaveText([/oldest\.txt/]);
    await keyboard.expectFocusVisible();
    await keyboard.tabTo(turn(back));
    await keyboard.press('Enter');
    await expect(page.getByText('1–200 of 201 files')).toBeVisible();
    await keyboard.expectFocusVisible();
  }
});

test('a page number can be typed and a filter cleared, and the focus is visible', async ({
  page,
  site,
  person,
  keyboard,
}) => {
  for (let file = 0; file < 51; file += 1) await uploadByKey(site, person, 'x.txt');
  await page.goto('/dashboard/file-management?limit=50');
  await expect(fileRows(page)).toHaveCount(50);
  await keyboard.tabBackTo(page.getByLabel('Page, of 2'));
  await keyboard.type('2');
  await keyboard.press('Enter');
  await expect(fileRows(page)).toHaveCount(1);
  await keyboard.expectFocusVisible();
  await keyboard.press('/');
  await keyboard.type('nothing like it');
  await expect(fileRows(page)).toHaveCount(0);
  await keyboard.tabTo(page.getByRole('button', { name: 'Clear', exact: true }));
  await keyboard.press('Enter');
  await expect(fileRows(page)).toHaveCount(50);
  await keyboard.expectFocusVisible();
});

for (const [width, look] of [
  [1280, 'table'],
  [390, 'cards'],
] as const) {
  test(`the page size can be changed, and the control below the ${look} keeps the focus`, async ({
    page,
    site,
    person,
    keyboard,
  }) => {
    const upload = async () => {
      for (let file = 0; file < 51; file += 1) await uploadByKey(site, person, 'x.txt');
    };
    await Promise.all([upload(), upload(), upload(), upload()]);
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/dashboard/file-management?limit=50');
    const files = page.getByRole('region', { name: 'Your files' });
    const size = page.getByLabel('Files on a page');
    await keyboard.tabBackTo(size);
    // A list of more than two hundred files is only partly rendered.
    for (const [key, shown] of [
      ['ArrowDown', '1–100 of 204 files'],
      ['ArrowDown', '1–200 of 204 files'],
      ['ArrowDown', '204 files'],
      ['Home', '1–50 of 204 files'],
      ['End', '204 files'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(files.getByText(shown, { exact: true })).toBeVisible();
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      await keyboard.expectAt(size);
    }
  });
}

test('selected files can be deleted down to the last, and the focus is visible', async ({
  page,
  site,
  person,
  keyboard,
}) => {
  for (const name of names) await uploadByKey(site, person, name);
  await open(page);
  await keyboard.tabTo(box(page, 'bight.txt'));
  await keyboard.press('Space');
  await keyboard.tabBackTo(deleteButton(page));
  await keyboard.press('Enter');
  await expect(toast(page, 'Deleted 1 file(s)')).toBeVisible();
  await expect(fileRows(page)).toHaveText([/anemone\.txt/, /coral\.png/, /delta\.txt/]);
  await keyboard.expectFocusVisible();
  await keyboard.press('ControlOrMeta+a');
  await expect(deleteButton(page)).toHaveText('Delete Selected (3)');
  const remaining = deleteButton(page);
  if ((await remaining.and(page.locator(':focus')).count()) === 0) await keyboard.tabBackTo(remaining);
  await keyboard.press('Enter');
  await expect(page.getByText('No files yet')).toBeVisible();
  await keyboard.expectFocusVisible();
  await keyboard.tabTo(main(page).getByRole('link', { name: 'Upload Files' }));
  await keyboard.press('Enter');
  await keyboard.expectAt(pageHeading(page));
});

test('a list that failed to load can be loaded again, and the focus is visible', async ({
  libraryPage: page,
  keyboard,
}) => {
  await page.route(listCall, (route) => route.fulfill({ status: 400, json: { success: false } }));
  await page.goto('/dashboard/file-management');
  await keyboard.tabTo(page.getByRole('button', { name: 'Try again' }));
  await page.unroute(listCall);
  await keyboard.press('Enter');
  await expect(fileRows(page)).toHaveCount(names.length);
  await keyboard.expectFocusVisible();
});

test('on a phone the cards can be sorted, selected and starred', async ({ libraryPage: page, keyboard }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page);
  const cards = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
  const picker = page.getByLabel('Sort by');
  await keyboard.tabTo(picker);
  await keyboard.type('Size');
  await expect(cards).toHaveText([/anemone\.txt/, /bight\.txt/, /coral\.png/, /delta\.txt/]);
  await keyboard.expectAt(picker);
  await keyboard.press('Tab', 'Enter');
  await expect(cards).toHaveText([/delta\.txt/, /coral\.png/, /bight\.txt/, /anemone\.txt/]);
  await keyboard.expectAt(page.getByRole('button', { name: 'Ascending, switch to descending' }));
  await keyboard.tabTo(box(page, 'delta.txt'));
  await keyboard.press('Space');
  await expect(deleteButton(page)).toHaveText('Delete Selected (1)');
  await keyboard.tabTo(star(page, 'delta.txt'));
  await keyboard.press('Enter');
  await expect(toast(page, 'Added to favorites')).toBeVisible();
  await keyboard.expectAt(star(page, 'delta.txt'));
  await keyboard.press('Enter');
  await expect(toast(page, 'Removed from favorites')).toBeVisible();
});
