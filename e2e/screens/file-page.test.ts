import type { Page } from '@playwright/test';
import { fileRows, openList, test } from '../harness/library.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { expect, uploadByKey } from '../harness/test.ts';

const copyButton = (page: Page, title: string) => page.getByRole('button', { name: `Copy: ${title}`, exact: true });
const form = (page: Page, title: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${title}`) })
    .locator('xpath=following-sibling::dd[1]');
const nameOf = (link: string) => /([^/.]+)\.\w+$/.exec(link)?.[1] ?? '';

test('the menu of a row leads to the page of its file, with its link in every form and its digests', async ({
  page,
  site,
  person,
}) => {
  const link = await uploadByKey(site, person, 'pack [1].zip', 'pack');
  await openList(page);
  await page.getByRole('button', { name: 'More for pack [1].zip' }).click();
  await page.getByRole('menuitem', { name: 'Details' }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/file/${nameOf(link)}$`));
  await expect(pageHeading(page)).toHaveText('pack [1].zip');
  await expect(pageHeading(page)).toBeFocused();
  await expect(form(page, 'Plain text')).toHaveText(link);
  await expect(form(page, 'Markdown')).toHaveText(String.raw`[pack \[1\].zip](${link})`);
  await expect(form(page, 'HTML')).toHaveText(`<a href="${link}">pack [1].zip</a>`);
  await expect(form(page, 'BBCode')).toHaveText(`[url=${link}]pack (1).zip[/url]`);
  const sha256 = await (await fetch(`${link}.sha256`)).text();
  const sha1 = await (await fetch(`${link}.sha1`)).text();
  await expect(form(page, 'curl')).toContainText(`${sha256}  pack [1].zip' | sha256sum --check`);
  await expect(form(page, 'server.properties')).toHaveText(`resource-pack=${link}\nresource-pack-sha1=${sha1}`);
  await expect(form(page, 'SHA-256')).toHaveText(sha256);
  await expect(page.getByRole('img', { name: `QR code of ${link}` })).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await copyButton(page, 'BBCode').click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`[url=${link}]pack (1).zip[/url]`);
});

test(
  'the page shows an image without counting it, and the hits of the last days',
  { tag: '@detail' },
  async ({ page, site, person }) => {
    const link = await uploadByKey(site, person, 'sea.png', await pixelOf(page));
    await (await fetch(link)).arrayBuffer();
    await expect(async () => {
      await page.goto(`/dashboard/file/${nameOf(link)}`);
      await expect(page.getByText('1 in the last 30 days')).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(page.getByRole('img', { name: 'Preview of sea.png' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Last 12 months');
    await expect(page.getByText('1 in the last 12 months')).toContainText('1 in all');
  },
);

const pixelOf = (page: Page) =>
  page
    .evaluate(() => {
      const canvas = document.createElement('canvas');
      const [, base64 = ''] = canvas.toDataURL('image/png').split(',');
      return base64;
    })
    .then((base64) => new Uint8Array(Buffer.from(base64, 'base64')));

test('a file is starred and deleted on its page, and Undo brings it back', async ({ page, site, person }) => {
  const link = await uploadByKey(site, person, 'a.txt');
  await page.goto(`/dashboard/file/${nameOf(link)}`);
  const star = page.getByRole('button', { name: 'Favorite' });
  await star.click();
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await expect(toast(page, 'Added to favorites')).toBeVisible();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(pageHeading(page)).toHaveText('File Management');
  await expect(page.getByText('No files yet')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(fileRows(page)).toHaveText([/a\.txt/]);
});

test('a row is deleted by its menu', { tag: '@detail' }, async ({ page, site, person }) => {
  await uploadByKey(site, person, 'a.txt');
  await uploadByKey(site, person, 'b.txt');
  await openList(page);
  await page.getByRole('button', { name: 'More for a.txt' }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Details' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Deleted 1 file(s)')).toBeVisible();
  await expect(fileRows(page)).toHaveText([/b\.txt/]);
});

test(
  "a file that does not exist, or is another account's, has a page that says so",
  { tag: '@detail' },
  async ({ page, library, person }) => {
    expect(person).toBeDefined();
    await page.goto(`/dashboard/file/${nameOf(library.linkOf('large.txt'))}`);
    await expect(pageHeading(page)).toHaveText('Not found');
    await expect(page.getByText("This file doesn't exist or was deleted")).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'Recently Deleted' })).toBeVisible();
  },
);
