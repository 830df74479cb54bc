import { randomBytes } from 'node:crypto';
import { expect, goodPassword, newEmail, test } from '../harness/test.ts';

test('a new user signs up, verifies, uploads, shares, sorts, stars and deletes', async ({ page, site, browser }) => {
  const email = newEmail();

  await page.goto('/');
  await page.getByRole('link', { name: 'Start Free Upload' }).click();
  await expect(page).toHaveURL(/\/sign-up$/);
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused();
  await page.keyboard.type(email);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByLabel('Confirm password', { exact: false }).fill(goodPassword);
  await page.getByRole('button', { name: 'Sign Up' }).click();

  await expect(page).toHaveURL(/\/verify-code$/);
  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByLabel('Verification code')).toBeFocused();
  await page.keyboard.type(await site.newestCodeFor(email));

  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(goodPassword);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText('Welcome back')).toBeVisible();

  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  );
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hold fast') },
      { name: 'pixel.png', mimeType: 'image/png', buffer: pixel },
      { name: 'pack.zip', mimeType: 'application/zip', buffer: randomBytes(3_000_000) },
    ]);
  await page.getByRole('button', { name: 'Upload Files' }).click();
  const links = page.getByRole('link', { name: /\/file\// });
  await expect(links).toHaveCount(3);

  const link = (await links.first().getAttribute('href')) ?? '';
  const stranger = await browser.newContext();
  const shared = await stranger.newPage();
  await shared.goto(link);
  await expect(shared.getByText('hold fast')).toBeVisible();
  expect(await stranger.cookies()).toEqual([]);
  await stranger.close();

  await page.getByRole('link', { name: 'File Management', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'File Management' })).toBeFocused();
  const rows = page.getByRole('row').filter({ has: page.getByText(/notes|pixel|pack/) });
  await expect(rows).toHaveCount(3);
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return rows.filter({ hasText: 'notes.txt' }).getByRole('gridcell').nth(4).innerText();
    })
    .toBe('1');

  await page.getByRole('button', { name: /^Size/ }).click();
  await expect(rows.first()).toContainText('pack.zip');
  await page.getByRole('button', { name: /^Size/ }).click();
  await expect(rows.first()).toContainText('notes.txt');

  await rows
    .filter({ hasText: 'pixel.png' })
    .getByRole('button', { name: /favorite/i })
    .click();
  await expect(page.getByText('Added to favorites').first()).toBeVisible();

  await rows.filter({ hasText: 'notes.txt' }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Delete Selected (1)' }).click();
  await expect(page.getByText('Deleted 1 file(s)').first()).toBeVisible();
  await expect(rows).toHaveCount(2);
  expect((await fetch(link)).status).toBe(404);
});
