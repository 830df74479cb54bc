import type { Page } from '@playwright/test';
import { box, openList, test } from '../harness/library.ts';
import { expect } from '../harness/test.ts';

/** An image that cannot be shown leaves a sign in its place. */
const thumbnails = (page: Page) => page.getByRole('gridcell').locator('img');

test('hovering over a name or its focus opens a preview that does not count as a hit', async ({
  libraryPage: page,
}) => {
  const looking = page.waitForRequest(/\/file\/\w+\?no-count=true$/);
  await openList(page);
  const preview = page.getByRole('img', { name: 'Preview of pixel.png' });
  await page.getByRole('link', { name: 'pixel.png' }).hover();
  await expect(preview).toBeVisible();
  await looking;
  await page.getByRole('link', { name: 'broken.png' }).hover();
  await expect(preview).toBeHidden();
  await expect(page.getByLabel('The preview could not be loaded')).toBeVisible();
  // A preview lies over the rows below it.
  await page.getByRole('button', { name: 'Refresh' }).hover();
  await expect(page.getByLabel('The preview could not be loaded')).toBeHidden();
  await page.getByRole('link', { name: 'large.txt' }).hover();
  await expect(page.getByText('Preview unavailable for this file type')).toBeVisible();
  await page.getByRole('button', { name: 'Refresh' }).hover();
  await box(page, 'pixel.png').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('link', { name: 'pixel.png' })).toBeFocused();
  await expect(preview).toBeVisible();
});

test("no preview opens and no thumbnail is shown while 'Previews' is off", async ({ libraryPage: page }) => {
  await openList(page);
  await expect(page.getByRole('switch', { name: 'Previews' })).toBeChecked();
  await expect(thumbnails(page)).toHaveJSProperty('naturalWidth', 1);
  await page.getByRole('switch', { name: 'Previews' }).uncheck();
  await expect(thumbnails(page)).toHaveCount(0);
  await page.clock.install();
  await page.getByRole('link', { name: 'large.txt' }).hover();
  await page.clock.runFor(1000);
  await expect(page.getByText('Preview unavailable for this file type')).toBeHidden();
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Previews' })).not.toBeChecked();
});
