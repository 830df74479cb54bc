import { holdBack } from '../harness/hold-back.ts';
import { readClipboard, toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { cancel, choose, link, openQueue, row, start, uploadCall } from '../harness/upload-queue.ts';

test.beforeEach(({ signedInPage: page }) => openQueue(page));

test('files are browsed for, removed, and uploaded one at a time, in order', async ({ page }) => {
  await expect(page.getByText('No files selected for upload')).toBeVisible();
  await expect(start(page)).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Remove' })).toHaveCount(0);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'browse files' }).click();
  const chooser = await choosing;
  expect(chooser.isMultiple()).toBe(true);
  await chooser.setFiles([
    { name: 'tide.txt', mimeType: 'text/plain', buffer: Buffer.alloc(1234) },
    { name: 'ebb.txt', mimeType: 'text/plain', buffer: Buffer.alloc(7) },
  ]);
  await expect(row(page, 'tide.txt')).toContainText('1.23 KB');
  await expect(row(page, 'ebb.txt')).toContainText('7.00 B');
  await expect(page.getByText('2 files ready, 1.24 KB')).toBeVisible();
  await expect(row(page, 'ebb.txt')).toContainText('Ready');
  await expect(row(page, 'ebb.txt').getByRole('progressbar')).toHaveAttribute('value', '0');
  await page.getByRole('button', { name: 'Remove ebb.txt' }).click();
  await expect(row(page, '')).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No files selected for upload')).toBeVisible();

  const sending = await holdBack(page, uploadCall);
  await choose(page, 'a.txt', 'b.txt', 'c.txt');
  await start(page).click();
  for (const [index, name] of ['a.txt', 'b.txt', 'c.txt'].entries()) {
    await expect(cancel(page)).toHaveAccessibleName(`Cancel ${name}`);
    await expect(page.getByText('Waiting', { exact: true })).toHaveCount(2 - index);
    await expect(page.getByText(`${index + 1} of 3`)).toBeVisible();
    sending.letGo();
    await expect(link(page, name)).toBeVisible();
  }
  await expect(page.getByText('3 uploaded')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Open File Management' })).toBeVisible();
});

test('an uploaded file has a toast and a public link to copy, alone or with all others', async ({
  page,
  context,
  site,
}) => {
  await choose(page, 'a_b.txt', 'c.txt');
  await start(page).click();
  await expect(toast(page, 'a_b.txt uploaded successfully!')).toBeVisible();
  await expect(link(page, 'c.txt')).toBeVisible();
  const first = (await link(page, 'a_b.txt').getAttribute('href')) ?? '';
  const second = await link(page, 'c.txt').getAttribute('href');
  expect(first).toMatch(new RegExp(`^${site.url}/file/[0-9A-Za-z]{8}\\.txt$`));
  const opening = context.waitForEvent('page');
  await link(page, 'a_b.txt').click();
  const tab = await opening;
  await expect(tab.getByText('I am a_b.txt')).toBeVisible();
  await tab.close();

  const clipboard = () => readClipboard(page, context);
  await page.getByRole('button', { name: 'Copy link of a_b.txt' }).click();
  await expect(toast(page, 'Link copied to clipboard!')).toBeVisible();
  expect(await clipboard()).toBe(first);
  const copyAs = async (format: string) => {
    await page.getByRole('button', { name: 'Copy all links' }).click();
    await page.getByRole('button', { name: format, exact: true }).click();
  };
  await copyAs('Plain text');
  await expect(toast(page, 'Links copied to clipboard!')).toBeVisible();
  await expect.poll(clipboard).toBe(`${first}\n${second}`);
  await copyAs('Markdown');
  await expect.poll(clipboard).toBe(`- [a\\_b.txt](${first})\n- [c.txt](${second})`);
  await copyAs('JSON');
  await expect(async () =>
    expect(JSON.parse(await clipboard())).toEqual([
      { name: 'a_b.txt', url: first },
      { name: 'c.txt', url: second },
    ]),
  ).toPass();
});
