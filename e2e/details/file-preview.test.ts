import { box, openList, test } from '../harness/library.ts';
import { expect } from '../harness/test.ts';

test('hovering over the name of an image opens a preview that does not count as a hit', async ({
  libraryPage: page,
}) => {
  await openList(page);
  const looking = page.waitForRequest(/\/file\/\w+\?no-count=true$/);
  await page.getByRole('link', { name: 'pixel.png' }).hover();
  await expect(page.getByRole('img', { name: 'Preview of pixel.png' })).toBeVisible();
  await looking;
  await page.getByRole('button', { name: 'Refresh' }).hover();
  await expect(page.getByRole('img', { name: 'Preview of pixel.png' })).toBeHidden();
});

test('a preview opens on keyboard focus', async ({ libraryPage: page }) => {
  await openList(page);
  await box(page, 'pixel.png').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'pixel.png' })).toBeFocused();
  await expect(page.getByRole('img', { name: 'Preview of pixel.png' })).toBeVisible();
});

test('an image that fails to load shows a placeholder', async ({ libraryPage: page }) => {
  await openList(page);
  await page.getByRole('link', { name: 'broken.png' }).hover();
  await expect(page.getByLabel('The preview could not be loaded')).toBeVisible();
});

test('other file types show a note that no preview is available', async ({ libraryPage: page }) => {
  await openList(page);
  await page.getByRole('link', { name: 'large.txt' }).hover();
  await expect(page.getByText('Preview unavailable for this file type')).toBeVisible();
});

test("no preview opens while 'Previews' is off", async ({ libraryPage: page }) => {
  await openList(page);
  await expect(page.getByRole('switch', { name: 'Previews' })).toBeChecked();
  await page.getByRole('switch', { name: 'Previews' }).uncheck();
  await page.clock.install();
  await page.getByRole('link', { name: 'large.txt' }).hover();
  await page.clock.runFor(1000);
  await expect(page.getByText('Preview unavailable for this file type')).toBeHidden();
});
