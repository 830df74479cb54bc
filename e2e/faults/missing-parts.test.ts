import { pageHeading, toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { choose, link, openQueue, row, start } from '../harness/upload-queue.ts';

test('if the UploadHost script fails to load, files are uploaded, and logging out asks first', async ({
  page,
  person,
}) => {
  await page.route('**/assets/UploadHost-*', (route) => route.abort());
  await openQueue(page);
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(link(page, 'a.txt'), person.email).toBeVisible();
  await choose(page, 'b.txt');
  const asked: string[] = [];
  page.on('dialog', async (dialog) => {
    asked.push(dialog.message());
    await dialog.accept();
  });
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(toast(page, 'You have been logged out!')).toBeVisible();
  expect(asked).toEqual(['Log out and stop the uploads?']);
});

test('if the script for long queues fails to load, every row is shown', async ({ signedInPage: page }) => {
  await page.route('**/assets/LongQueue-*', (route) => route.abort());
  await openQueue(page);
  await choose(page, ...Array.from({ length: 201 }, (_, index) => `${index}.txt`));
  await expect(page.getByRole('list', { name: 'Upload queue' }).getByRole('listitem')).toHaveCount(201);
});

test('the menu of all links is loaded with the first file, and the page works without it', async ({
  signedInPage: page,
}) => {
  const asked: string[] = [];
  await page.route('**/assets/CopyAllLinks-*.js', (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await expect(pageHeading(page)).toHaveText('Upload Files');
  expect(asked).toEqual([]);
  await choose(page, 'a.txt');
  await expect.poll(() => asked).toHaveLength(1);
  await start(page).click();
  await expect(row(page, 'a.txt').getByRole('button', { name: 'Copy link of a.txt' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy all links' })).toBeHidden();
});
