import { readFile } from 'node:fs/promises';
import { expect, test } from '../harness/test.ts';
import { link, openQueue, row, start } from '../harness/upload-queue.ts';

const photo = new URL('../fixtures/located.jpg', import.meta.url).pathname;
const city = Buffer.from('Oslo');

test('a photo is uploaded without its location if the reader wants that, and still the right way up', async ({
  signedInPage: page,
  site,
}) => {
  await openQueue(page);
  const choice = page.getByRole('switch', { name: 'Remove location from photos' });
  await expect(choice).not.toBeChecked();
  await choice.check();
  await page.reload();
  await expect(choice).toBeChecked();
  await page.getByLabel('Files to upload').setInputFiles(photo);
  await expect(row(page, 'located.jpg')).toContainText('Location removed');
  await start(page).click();
  const address = (await link(page, 'located.jpg').getAttribute('href')) ?? '';
  await expect(row(page, 'located.jpg')).toContainText('Location removed');
  const before = await readFile(photo);
  const after = Buffer.from(await (await fetch(`${site.url}${new URL(address).pathname}`)).arrayBuffer());
  expect([before.includes(city), after.includes(city), after.length]).toEqual([true, false, before.length]);
  const sizes = await page.evaluate(
    async (pictures) =>
      Promise.all(
        pictures.map(async (base64) => {
          const image = new Image();
          image.src = `data:image/jpeg;base64,${base64}`;
          await image.decode();
          return [image.naturalWidth, image.naturalHeight];
        }),
      ),
    [before, after].map((bytes) => bytes.toString('base64')),
  );
  // It is turned by 90 degrees.
  expect(sizes).toEqual([
    [16, 24],
    [16, 24],
  ]);
});

test('a photo keeps its location by default', async ({ signedInPage: page, site }) => {
  await openQueue(page);
  await page.getByLabel('Files to upload').setInputFiles(photo);
  await start(page).click();
  const address = (await link(page, 'located.jpg').getAttribute('href')) ?? '';
  await expect(row(page, 'located.jpg')).not.toContainText('Location');
  const after = await (await fetch(`${site.url}${new URL(address).pathname}`)).arrayBuffer();
  expect(Buffer.from(after).equals(await readFile(photo))).toBe(true);
});

test('a photo is added and says so if its location cannot be checked', async ({ signedInPage: page }) => {
  await openQueue(page);
  await page.route('**/remove-location-*.js', (route) => route.abort());
  await page.getByRole('switch', { name: 'Remove location from photos' }).check();
  await page.getByLabel('Files to upload').setInputFiles(photo);
  await expect(row(page, 'located.jpg')).toContainText('Location not checked');
});
