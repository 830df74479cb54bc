import type { Locator, Page } from '../../e2e/harness/open-browser.ts';

/** Enough for the list's longest page, and for a sort to bring other rows to it. */
export const filesInAccount = 1000;
export const rowsInTable = 500;

/** Where things are in the table of files. */
export interface Table {
  readonly page: Page;
  readonly checkboxes: Locator;
  readonly stars: Locator;
  readonly filter: Locator;
  readonly sortButton: (title: string) => Locator;
  /** How many files are chosen, as the page says it. */
  readonly chosen: () => Promise<number>;
  /** How many files have a star, as the server says it. */
  readonly starred: () => Promise<number>;
  readonly top: () => Promise<void>;
  readonly bottom: () => Promise<void>;
}

/** The file list with 500 rows. A row that is not on the screen need not be in the document. */
export async function openTable(page: Page): Promise<Table> {
  const listed = page.waitForResponse((response) => response.url().includes('/get-file-list'));
  await page.goto(`/dashboard/file-management?limit=${rowsInTable}`);
  const list = (await (await listed).json()) as { files: readonly unknown[] };
  if (list.files.length !== rowsInTable) throw new Error(`the table has ${list.files.length} rows`);
  const rows = page.getByRole('table').getByRole('row');
  await rows.nth(1).getByRole('checkbox').waitFor();
  return {
    page,
    checkboxes: page.getByRole('table').getByRole('checkbox', { name: /^Select (?!all)/ }),
    stars: page.getByRole('table').getByRole('button', { name: /^Favorite / }),
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
