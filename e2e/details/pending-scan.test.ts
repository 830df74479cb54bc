import type { Page } from '@playwright/test';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import { fileRow, openList } from '../harness/library.ts';
import { type Site, startSite } from '../harness/site.ts';
import { expect, type Person, test as base, uploadByKey } from '../harness/test.ts';

/** A site whose scanner is unavailable. */
const test = base.extend({
  site: async ({ keeper }, use) =>
    use(
      await keeper.run('site', async (own) =>
        own.use(await startSite({ SCANNER_URL: `clamd://127.0.0.1:${await freePort()}` })),
      ),
    ),
});

const hint = 'Its link will work after a malware check.';
const badge = (page: Page) => page.getByText('Being checked');

/** Marks all uploads so far as clean, as if the scanner had been available for a moment. */
function finishChecks(site: Site): void {
  using database = site.openDatabase();
  database.exec('UPDATE files SET pending_scan = 0');
}

async function uploadOneUnscanned(site: Site, person: Person): Promise<void> {
  await uploadByKey(site, person, 'kelp.txt');
  finishChecks(site);
  await uploadByKey(site, person, 'reef.txt');
}

test('a file that waits for the scanner has a badge that explains why its link does not work', async ({
  page,
  person,
  site,
}) => {
  await uploadOneUnscanned(site, person);
  await openList(page);
  await expect(badge(page)).toHaveCount(1);
  await expect(fileRow(page, 'reef.txt')).toContainText(`Being checked. ${hint}`);
  await badge(page).hover();
  await expect(page.getByRole('tooltip')).toHaveText(hint);
});
