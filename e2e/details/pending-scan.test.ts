import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from '../harness/axe.ts';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import { fileRow, listCall, openList } from '../harness/library.ts';
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
  await expectNoAxeFindings(page);
});

test('on a phone the badge is on the card, and a click shows the hint', async ({ page, person, site }) => {
  await uploadOneUnscanned(site, person);
  await uploadByKey(site, person, `${'a-name-that-goes-on-and-on-'.repeat(5)}.zip`);
  await page.setViewportSize({ width: 390, height: 844 });
  await openList(page);
  await expect(badge(page)).toHaveCount(2);
  await badge(page).first().click();
  await expect(page.getByRole('tooltip')).toHaveText(hint);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectNoAxeFindings(page);
});

test('the list updates automatically once the file has been checked', async ({ page, person, site }) => {
  await uploadOneUnscanned(site, person);
  await page.clock.install();
  await openList(page);
  await expect(badge(page)).toBeVisible();
  finishChecks(site);
  const asked = page.waitForRequest(listCall);
  await page.clock.runFor(30_000);
  await asked;
  await expect(badge(page)).toBeHidden();
  await expect(fileRow(page, 'reef.txt')).toBeVisible();
});
