import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { expect, type Keyboard, test } from '../harness/keyboard.ts';
import { pageHeading, toast } from '../harness/screen.ts';

const call = '**/api/v3/upload';
const browse = (page: Page) => page.getByRole('button', { name: 'browse files' });
const start = (page: Page) => page.getByRole('main').getByRole('button', { name: /^(Upload Files|Uploading\.\.\.)$/ });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Upload queue' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
const link = (page: Page, name: string) => row(page, name).getByRole('link');

test.beforeEach(async ({ signedInPage: page }) => {
  // Once there is a listener, the browser opens no file dialog and lets the tests choose.
  page.on('filechooser', () => {});
  await page.goto('/dashboard');
  await expect(pageHeading(page)).toHaveText('Upload Files');
});

async function choose(page: Page, keyboard: Keyboard, ...names: readonly string[]) {
  await keyboard.tabTo(browse(page));
  const choosing = page.waitForEvent('filechooser');
  await keyboard.press('Enter');
  const chooser = await choosing;
  await chooser.setFiles(names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`I am ${name}`) })));
  await expect(row(page, names.at(-1) ?? '')).toBeVisible();
  await keyboard.expectAt(browse(page));
}

test('files can be chosen and uploaded, and their links copied', async ({ page, context, keyboard }) => {
  await choose(page, keyboard, 'a.txt', 'b.txt');
  await keyboard.tabTo(start(page));
  await keyboard.press('Enter');
  await expect(link(page, 'b.txt')).toBeVisible();
  await keyboard.expectFocusVisible();
  const [first, second] = [await address(page, 'a.txt'), await address(page, 'b.txt')];
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  await keyboard.tabTo(link(page, 'a.txt'));
  await keyboard.press('Tab');
  await keyboard.expectAt(button(page, 'Copy link of a.txt'));
  await keyboard.press('Space');
  await expect(toast(page, 'Link copied to clipboard!')).toBeVisible();
  await keyboard.expectAt(button(page, 'Copy link of a.txt'));
  expect(await clipboard()).toBe(first);

  const all = button(page, 'Copy all links');
  await keyboard.tabBackTo(all);
  await keyboard.press('Enter');
  await keyboard.expectAt(page.getByRole('menuitem', { name: 'Lines' }));
  // The menu moves the focus shortly after a key, and ignores other keys in between.
  for (const [key, format] of [
    ['ArrowDown', 'Markdown'],
    ['ArrowDown', 'JSON'],
    ['ArrowUp', 'Markdown'],
  ] as const) {
    await keyboard.press(key);
    await keyboard.expectAt(page.getByRole('menuitem', { name: format }));
  }
  await keyboard.press('Escape');
  await keyboard.expectAt(all);
  await keyboard.press('Space');
  await keyboard.expectAt(page.getByRole('menuitem', { name: 'Lines' }));
  await keyboard.press('ArrowDown');
  await keyboard.expectAt(page.getByRole('menuitem', { name: 'Markdown' }));
  await keyboard.press('Enter');
  await expect(toast(page, 'Links copied to clipboard!')).toBeVisible();
  await keyboard.expectAt(all);
  expect(await clipboard()).toBe(`- [a.txt](${first})\n- [b.txt](${second})`);
});

const address = (page: Page, name: string) => link(page, name).getAttribute('href');

test('the folder button opens the folder chooser', async ({ page, keyboard }) => {
  await keyboard.tabTo(button(page, 'Choose a folder'));
  const choosing = page.waitForEvent('filechooser');
  await keyboard.press('Enter');
  expect(await (await choosing).element().getAttribute('webkitdirectory')).not.toBeNull();
  await keyboard.expectAt(button(page, 'Choose a folder'));
});

test('the accepted types can be expanded and collapsed', async ({ page, keyboard }) => {
  const types = page.getByRole('main').getByText(/^Free accepts \d+ file types$/);
  await keyboard.tabTo(types);
  await keyboard.press('Enter');
  await expect(page.getByText(/^pdf rtf odt /)).toBeVisible();
  await keyboard.press('Space');
  await expect(page.getByText(/^pdf rtf odt /)).toBeHidden();
  await keyboard.expectAt(types);
});

test('uploads can be canceled, retried and removed, one by one or all at once', async ({ page, keyboard }) => {
  const sending = await holdBack(page, call);
  await choose(page, keyboard, 'a.txt', 'b.txt', 'c.txt');
  await keyboard.tabTo(button(page, 'Remove b.txt'));
  await keyboard.press('Enter');
  await expect(row(page, 'b.txt')).toBeHidden();
  await keyboard.expectFocusVisible();
  await keyboard.tabBackTo(start(page));
  await keyboard.press('Space');
  await expect(button(page, 'Cancel a.txt')).toBeVisible();
  await keyboard.expectFocusVisible();
  await keyboard.tabTo(button(page, 'Cancel a.txt'));
  await keyboard.press('Enter');
  await expect(row(page, 'a.txt')).toContainText('Upload canceled');
  await keyboard.expectFocusVisible();
  await keyboard.tabTo(button(page, 'Cancel c.txt'));
  await keyboard.press('Enter');
  await expect(row(page, 'c.txt')).toContainText('Upload canceled');
  await keyboard.expectFocusVisible();
  await keyboard.tabBackTo(button(page, 'Retry a.txt'));
  await keyboard.press('Enter');
  await expect(button(page, 'Cancel a.txt')).toBeVisible();
  await keyboard.expectFocusVisible();
  sending.letGo(4);
  await expect(link(page, 'a.txt')).toBeVisible();
  await keyboard.tabBackTo(button(page, 'Retry all'));
  await keyboard.press('Enter');
  await expect(link(page, 'c.txt')).toBeVisible();
  await keyboard.expectFocusVisible();
  await keyboard.tabTo(button(page, 'Remove c.txt'));
  await keyboard.press('Enter');
  await expect(row(page, 'c.txt')).toBeHidden();
  await keyboard.expectFocusVisible();
  await keyboard.tabBackTo(button(page, 'Remove'));
  await keyboard.press('Enter');
  await expect(page.getByText('No files selected for upload')).toBeVisible();
  await keyboard.expectFocusVisible();
});

test('the link is shown in a focused field if the clipboard is blocked, and Escape closes it', async ({
  page,
  keyboard,
}) => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    document.execCommand = () => false;
  });
  await choose(page, keyboard, 'a.txt');
  await keyboard.tabTo(start(page));
  await keyboard.press('Enter');
  await keyboard.tabTo(button(page, 'Copy link of a.txt'));
  await keyboard.press('Enter');
  await keyboard.expectAt(page.getByRole('textbox', { name: 'Copy link of a.txt' }));
  await keyboard.press('Escape');
  await keyboard.expectAt(button(page, 'Copy link of a.txt'));
  await keyboard.tabTo(button(page, 'Remove a.txt'));
});

test("'Try now' can be reached by keyboard without a connection", async ({ page, context, keyboard }) => {
  const sending = await holdBack(page, call);
  await choose(page, keyboard, 'a.txt');
  await keyboard.tabTo(start(page));
  await keyboard.press('Enter');
  await expect(button(page, 'Cancel a.txt')).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('You are offline. You may be seeing old data.')).toBeVisible();
  await keyboard.expectFocusVisible();
  sending.letGo(2);
  await keyboard.tabTo(button(page, 'Try now'));
  await context.setOffline(false);
  await expect(link(page, 'a.txt')).toBeVisible();
  await keyboard.expectFocusVisible();
});

test('the tray links back to the queue', async ({ page, keyboard }) => {
  const sending = await holdBack(page, call);
  await choose(page, keyboard, 'a.txt');
  await keyboard.tabTo(start(page));
  await keyboard.press('Enter');
  await expect(button(page, 'Cancel a.txt')).toBeVisible();
  await keyboard.tabBackTo(page.getByRole('link', { name: 'Plan Info' }));
  await keyboard.press('Enter');
  await expect(pageHeading(page)).toHaveText('Plan Info');
  await keyboard.tabTo(page.getByRole('complementary', { name: 'Uploads' }).getByRole('link', { name: 'Show' }));
  await keyboard.press('Enter');
  await expect(pageHeading(page)).toHaveText('Upload Files');
  await keyboard.expectAt(pageHeading(page));
  sending.letGo();
  await expect(link(page, 'a.txt')).toBeVisible();
});
