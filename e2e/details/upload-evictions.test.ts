/** Continuous Uploading on the upload page: what it will delete, and what it deleted. */
import type { Page } from '@playwright/test';
import type { Site } from '../harness/site.ts';
import { expect, type Person, test, uploadByKey } from '../harness/test.ts';
import { choose, link, openQueue, start, tray } from '../harness/upload-queue.ts';

const note = (page: Page) => page.getByRole('main').getByRole('status');

/** As if other files used all but the given bytes. */
function leave(site: Site, person: Person, bytes: number, files: number): void {
  site.fill(person.email, { bytes: 500_000_000 - bytes, files });
}

test('what will be deleted is named before the button, and what was deleted after it', async ({
  page,
  person,
  site,
}) => {
  for (const name of ['oldest.txt', 'older.txt', 'young.txt']) await uploadByKey(site, person, name, 'x'.repeat(10));
  using database = site.openDatabase();
  database.prepare('UPDATE accounts SET continuous_uploading = 1 WHERE email = ?').run(person.email);
  leave(site, person, 0, 3);
  await openQueue(page);
  // 10 bytes.
  await choose(page, 'a.txt');
  await expect(note(page)).toContainText(
    'Continuous Uploading will delete your oldest file (10.00 B) to make room: oldest.txt.',
  );
  await choose(page, 'b.txt');
  await expect(note(page)).toContainText('your 2 oldest files (20.00 B) to make room: oldest.txt and older.txt.');

  // The tray has no space for names, so its button is missing.
  await page.getByRole('link', { name: 'Account Info' }).click();
  await expect(tray(page)).toContainText('2 files waiting');
  await expect(tray(page).getByRole('button', { name: 'Upload' })).toHaveCount(0);
  await tray(page).getByRole('link', { name: 'Show' }).click();

  await start(page).click();
  await expect(link(page, 'b.txt')).toBeVisible();
  await expect(note(page)).toContainText(
    'Continuous Uploading deleted 2 files (20.00 B) to make room: oldest.txt and older.txt.',
  );
  await note(page).getByRole('link', { name: 'See Activity' }).click();
  await expect(page.getByRole('region', { name: 'Activity' })).toContainText('Deleted to make room');
});

test('with Continuous Uploading off a full account gets a warning alone', async ({ page, person, site }) => {
  leave(site, person, 4, 1);
  await openQueue(page);
  await choose(page, 'a.txt');
  await expect(note(page)).toHaveText('These files need 10 B. You have 4 B left.');
});
