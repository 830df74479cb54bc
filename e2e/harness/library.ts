/** Shared by the tests of the file list: an account with a few files, one with many, and locators. */
import type { Locator, Page } from '@playwright/test';
import { pageHeading } from './screen.ts';
import type { Site } from './site.ts';
import { expect, type Person, type SignedOnce, signUpOnce, test as base, uploadByKey } from './test.ts';

export const listCall = '**/api/v3/rest/get-file-list*';
export const favoriteCall = '**/api/v3/rest/toggle-favorite';
export const deleteCall = '**/api/v3/rest/delete-files';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

interface Library extends SignedOnce {
  readonly linkOf: (name: string) => string;
}

/** `libraryPage` is the page of an account with five files that no test changes or opens. */
export const test = base.extend<{
  libraryPage: Page;
  longListPage: Page;
  library: Library;
  longList: SignedOnce;
}>({
  library: async ({ keeper, site, browser }, use) => {
    const make = async () => {
      const owner = await signUpOnce(site, browser);
      const links = new Map<string, string>();
      for (const [name, bytes] of libraryFiles) links.set(name, await uploadByKey(site, owner.person, name, bytes));
      return { ...owner, linkOf: (name: string) => links.get(name) ?? '' };
    };
    await use(await keeper.keep('library', make));
  },
  libraryPage: async ({ page, context, library }, use) => {
    await context.addCookies(library.cookies);
    await use(page);
  },
  longList: async ({ keeper, site, browser }, use) => {
    const make = async () => {
      const owner = await signUpOnce(site, browser);
      await uploadMany(site, owner.person, longListFiles);
      return owner;
    };
    await use(await keeper.keep('long list', make));
  },
  /** The page of an account with 460 files that no test changes, `file-000.txt` (oldest) to `file-459.txt` (newest). */
  longListPage: async ({ page, context, longList }, use) => {
    await context.addCookies(longList.cookies);
    await use(page);
  },
});

/** Largest first, which is also the order of upload. */
const libraryFiles = [
  ['large.txt', 'x'.repeat(100)],
  ['medium.txt', 'x'.repeat(90)],
  ['small.txt', 'x'.repeat(80)],
  ['pixel.png', pixel],
  ['broken.png', 'not an image'],
] as const;
export const fallingSizes = [/large/, /medium/, /small/, /pixel/, /broken/];

const longListFiles = Array.from({ length: 460 }, (_, index) => `file-${String(index).padStart(3, '0')}.txt`);

async function uploadMany(site: Site, person: Person, names: readonly string[]): Promise<void> {
  for (const name of names) await uploadByKey(site, person, name);
}

/** Uploads files of decreasing size in the given order and returns their links. */
export async function uploadAll(site: Site, person: Person, ...names: readonly string[]): Promise<readonly string[]> {
  const links: string[] = [];
  for (const [index, name] of names.entries())
    links.push(await uploadByKey(site, person, name, 'x'.repeat(100 - 10 * index)));
  return links;
}

export const deleteButton = (page: Page): Locator => page.getByRole('button', { name: /^Delete Selected|^Deleting/ });
export const everyBox = (page: Page): Locator => page.getByRole('checkbox', { name: 'Select all files' });
export const box = (page: Page, name: string): Locator => page.getByRole('checkbox', { name: `Select ${name}` });
export const star = (page: Page, name: string): Locator => page.getByRole('button', { name: `Favorite ${name}` });
export const fileRows = (page: Page): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: /\.\w+$/ }) });
export const fileRow = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });
export const filterBox = (page: Page): Locator => page.getByRole('searchbox', { name: 'Filter by name or type' });

export async function openList(page: Page, search = ''): Promise<void> {
  await page.goto(`/dashboard/file-management${search}`);
  await expect(pageHeading(page)).toHaveText('File Management');
}
