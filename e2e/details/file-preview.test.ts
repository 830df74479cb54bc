import { box, deleteButton, openList, pixel, test } from '../harness/library.ts';
import { expect, uploadByKey } from '../harness/test.ts';

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

test('Escape closes a preview and keeps the selection', async ({ libraryPage: page }) => {
  await openList(page);
  await box(page, 'large.txt').check();
  await page.getByRole('link', { name: 'pixel.png' }).hover();
  await expect(page.getByRole('img', { name: 'Preview of pixel.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('img', { name: 'Preview of pixel.png' })).toBeHidden();
  await expect(deleteButton(page)).toHaveText('Delete Selected (1)');
});

for (const type of ['jpg', 'jpeg', 'png', 'gif', 'webp'])
  test(`the preview of a ${type} shows a spinner until the image has loaded`, async ({ page, site, person }) => {
    await uploadByKey(site, person, `reef.${type}`);
    const answer = Promise.withResolvers<void>();
    await page.route('**/file/*?no-count=true', async (route) => {
      await answer.promise;
      await route.fulfill({ contentType: 'image/png', body: pixel });
    });
    await openList(page);
    await page.getByRole('link', { name: `reef.${type}` }).hover();
    const picture = page.getByRole('img', { name: `Preview of reef.${type}` });
    const spinner = picture.locator('xpath=..').locator('svg');
    await expect(spinner).toBeVisible();
    answer.resolve();
    await expect(spinner).toBeHidden();
    await expect.poll(() => picture.evaluate((image) => image.clientHeight)).toBeGreaterThan(100);
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

test.describe('on a touchscreen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });

  test('a tap on a name opens the file and no preview', async ({ libraryPage: page }) => {
    await openList(page);
    const name = page.getByRole('link', { name: 'pixel.png' });
    await page.clock.install();
    const opening = page.context().waitForEvent('page');
    await name.tap();
    await opening;
    await page.bringToFront();
    await expect(name).toBeFocused();
    // Longer than a preview takes to open.
    await page.clock.runFor(1000);
    await expect(page.getByRole('img', { name: 'Preview of pixel.png' })).toBeHidden();
  });
});
