import { toast } from '../harness/screen.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';
import { choose, link, openQueue, row, start } from '../harness/upload-queue.ts';

/** Reads as `photoexe.jpg` where the bidi control character takes effect. */
const disguised = 'photo\u202Egpj.txt';
const plain = 'photogpj.txt';

test('the upload queue and its toasts show file names without bidi control characters', async ({
  signedInPage: page,
}) => {
  await openQueue(page);
  await choose(page, disguised);
  await expect(row(page, plain).getByTitle(plain, { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: `Remove ${plain}`, exact: true })).toBeVisible();
  await start(page).click();
  await expect(link(page, plain)).toBeVisible();
  await expect(toast(page, `${plain} uploaded successfully!`)).toBeVisible();
  expect(await page.locator('body').innerHTML()).not.toMatch(/\p{Bidi_Control}/u);
});

for (const width of [390, 1280])
  test(`the file list shows file names without bidi control characters, at ${width}`, async ({
    page,
    person,
    site,
  }) => {
    await uploadByKey(site, person, disguised);
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/dashboard/file-management');
    const name = page.getByText(plain, { exact: true });
    await expect(name).toBeVisible();
    await expect(name).toHaveCSS('unicode-bidi', 'isolate');
    expect(await page.locator('body').innerHTML()).not.toMatch(/\p{Bidi_Control}/u);
  });
