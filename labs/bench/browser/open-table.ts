import type { Locator, Page } from '@holdfast/test-support/open-browser.ts';

/** Enough for the list's longest page, and for a sort to show other rows on it. */
export const filesInAccount = 1000;
export const rowsInTable = 500;

/** Locators in the table of files. */
export interface Table {
  readonly page: Page;
  readonly checkboxes: Locator;
  readonly stars: Locator;
  readonly filter: Locator;
  readonly sortButton: (title: string) => Locator;
  /** Number of selected files, as shown on the page. */
  readonly chosen: () => Promise<number>;
  /** Number of files with a star, according to the server. */
  readonly starred: () => Promise<number>;
  readonly top: () => Promise<void>;
  readonly bottom: () => Promise<void>;
}

/** Opens the file list with 500 rows. Rows off the screen may be absent from the document. */
export async function openTable(page: Page): Promise<Table> {
  const listed = page.waitForResponse((response) => response.url().includes('/get-file-list'));
  await page.goto(`/dashboard/file-management?limit=${rowsInTable}`);
  const list = (await (await listed).json()) as { files: readonly unknown[] };
  if (list.files.length !== rowsInTable) throw new Error(`the table has ${list.files.length} rows`);
  const rows = page.getByRole('grid').getByRole('row');
  await rows.nth(1).getByRole('checkbox').waitFor();
  return {
    page,
    checkboxes: page.getByRole('grid').getByRole('checkbox', { name: /^Select (?!all)/ }),
    stars: page.getByRole('grid').getByRole('button', { name: /^Favorite / }),
    filter: page.getByRole('searchbox'),
    sortButton: (title) => page.getByRole('columnheader').getByRole('button', { name: title, exact: true }),
    chosen: async () => {
      const said = await page.getByRole('button', { name: /^Delete Selected/ }).innerText();
      return Number(/\((\d+)\)/.exec(said.replaceAll(',', ''))?.[1]);
    },
    async starred() {
      const answer = await page.request.get(`/api/v3/rest/get-file-list?column=favorite&limit=${rowsInTable}`);
      const { files } = (await answer.json()) as { files: readonly { readonly is_favorite: boolean }[] };
      return files.filter(({ is_favorite }) => is_favorite).length;
    },
    top: () => page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' })),
    bottom: () => page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })),
  };
}
