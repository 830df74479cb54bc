import type { BrowserContext, Page } from '@playwright/test';
import { holdBack, holdBackAnswers } from './harness/hold-back.ts';
import { pageHeading, toast } from './harness/screen.ts';
import { expect, test } from './harness/test.ts';

const call = '**/api/v3/upload';
const start = (page: Page) => page.getByRole('button', { name: 'Upload Files' });
const row = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Upload queue' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
const link = (page: Page, name: string) => row(page, name).getByRole('link');
const cancel = (page: Page) => page.getByRole('button', { name: /^Cancel / });

test.beforeEach(async ({ signedInPage: page }) => {
  await page.goto('/dashboard');
  await expect(pageHeading(page)).toHaveText('Upload Files');
});

async function choose(page: Page, ...names: readonly string[]) {
  const files = names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`I am ${name}`) }));
  await page.getByLabel('Files to upload').setInputFiles(files);
}

/** What the clipboard holds after the press of a button. */
async function readClipboard(page: Page, context: BrowserContext): Promise<string> {
  await context.grantPermissions(['clipboard-read']);
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Files as a drag or a paste carries them. */
const carried = (page: Page, name: string) =>
  page.evaluateHandle((fileName) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['carried'], fileName, { type: 'text/plain' }));
    return transfer;
  }, name);

test('an empty queue says so, and there is nothing to upload or remove', async ({ page }) => {
  await expect(page.getByText('No files selected for upload')).toBeVisible();
  await expect(start(page)).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Remove' })).toBeDisabled();
});

test("'browse files' takes several files, each with its name and size", async ({ page }) => {
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
  await expect(row(page, 'ebb.txt').getByRole('progressbar')).toHaveAttribute('value', '0');
  await expect(start(page)).toBeEnabled();
});

test('a file leaves the queue alone, or all leave it together', async ({ page }) => {
  await choose(page, 'a.txt', 'b.txt', 'c.txt');
  await page.getByRole('button', { name: 'Remove b.txt' }).click();
  await expect(row(page, 'b.txt')).toBeHidden();
  await expect(row(page, '')).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No files selected for upload')).toBeVisible();
});

test('files go up one at a time, in order', async ({ page }) => {
  const sending = await holdBack(page, call);
  await choose(page, 'a.txt', 'b.txt', 'c.txt');
  await start(page).click();
  for (const [index, name] of ['a.txt', 'b.txt', 'c.txt'].entries()) {
    await expect(cancel(page)).toHaveAccessibleName(`Cancel ${name}`);
    await expect(page.getByText('Waiting', { exact: true })).toHaveCount(2 - index);
    await expect(page.getByText(`${index + 1} of 3`)).toBeVisible();
    sending.letGo();
    await expect(link(page, name)).toBeVisible();
  }
});

test("while files go up the button reads 'Uploading...' and rests", async ({ page }) => {
  const sending = await holdBack(page, call);
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeDisabled();
  await choose(page, 'late.txt');
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeDisabled();
  sending.letGo(2);
  await expect(link(page, 'late.txt')).toBeVisible();
  await expect(start(page)).toBeDisabled();
});

test('a file that is up has a toast and its public link, which opens in a tab of its own', async ({
  page,
  context,
  site,
}) => {
  await choose(page, 'kelp.txt');
  await start(page).click();
  await expect(toast(page, 'kelp.txt uploaded successfully!')).toBeVisible();
  await expect(link(page, 'kelp.txt')).toHaveAttribute('target', '_blank');
  const address = (await link(page, 'kelp.txt').getAttribute('href')) ?? '';
  expect(address).toMatch(new RegExp(`^${site.url}/file/[0-9A-Za-z]{8}\\.txt$`));
  const opening = context.waitForEvent('page');
  await link(page, 'kelp.txt').click();
  const tab = await opening;
  await expect(tab.getByText('I am kelp.txt')).toBeVisible();
});

test('the link is copied by a press', async ({ page, context }) => {
  await choose(page, 'kelp.txt');
  await start(page).click();
  await page.getByRole('button', { name: 'Copy link of kelp.txt' }).click();
  await expect(toast(page, 'Link copied to clipboard!')).toBeVisible();
  expect(await readClipboard(page, context)).toBe(await link(page, 'kelp.txt').getAttribute('href'));
});

test('all links are copied as lines, as Markdown or as JSON', async ({ page, context }) => {
  await choose(page, 'a_b.txt', 'c.txt');
  await start(page).click();
  await expect(link(page, 'c.txt')).toBeVisible();
  const first = await link(page, 'a_b.txt').getAttribute('href');
  const second = await link(page, 'c.txt').getAttribute('href');
  const copied = async (format: string) => {
    await page.getByRole('button', { name: 'Copy all links' }).click();
    await page.getByRole('menuitem', { name: format }).click();
    // A click on the button of a menu that is still closing would not open it again.
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(toast(page, 'Links copied to clipboard!').last()).toBeVisible();
    return readClipboard(page, context);
  };
  expect(await copied('Lines')).toBe(`${first}\n${second}`);
  expect(await copied('Markdown')).toBe(`- [a\\_b.txt](${first})\n- [c.txt](${second})`);
  expect(JSON.parse(await copied('JSON'))).toEqual([
    { name: 'a_b.txt', url: first },
    { name: 'c.txt', url: second },
  ]);
});

test('when all is sent and the answer is not there yet, the server is at work', async ({ page }) => {
  const answering = await holdBackAnswers(page, '*/api/v3/upload');
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(row(page, 'a.txt')).toContainText('Server processing file, please wait...');
  answering.letGo();
  await expect(link(page, 'a.txt')).toBeVisible();
});

test('what the plan will not take is said before it is sent, and sent all the same', async ({ page }) => {
  const words = 'The Free plan does not accept .exe files.';
  await choose(page, 'setup.exe');
  await expect(row(page, 'setup.exe')).toContainText(words);
  await expect(start(page)).toBeEnabled();
  await start(page).click();
  await expect(toast(page, `setup.exe upload failed: ${words}`)).toBeVisible();
  await expect(row(page, 'setup.exe')).toContainText(words);
  await expect(page.getByRole('button', { name: 'Retry setup.exe' })).toBeVisible();
});

test('limits and accepted types stand under the place to drop', async ({ page }) => {
  const main = page.getByRole('main');
  await expect(main.getByRole('definition')).toHaveText(['100.00 MB', /^\d{3}\.\d\d MB$/, /^\d{3}$/]);
  await main.getByText(/^\d+ types of file are accepted on Free$/).click();
  await expect(main.getByText(/^pdf rtf odt .* mcmeta$/)).toBeVisible();
});

test('a file that fails does not hold up the next', async ({ page }) => {
  await choose(page, 'setup.exe', 'kelp.txt');
  await start(page).click();
  await expect(link(page, 'kelp.txt')).toBeVisible();
  await expect(row(page, 'setup.exe').getByRole('link')).toBeHidden();
});

test('one that failed, or all that failed, can be tried again', async ({ page }) => {
  await page.route(call, (route) => route.abort('connectionreset'));
  await choose(page, 'a.txt', 'b.txt', 'c.txt');
  await start(page).click();
  await expect(toast(page, 'c.txt upload failed: Unknown error')).toBeVisible();
  await expect(page.getByText('Upload failed', { exact: true })).toHaveCount(3);
  await page.unroute(call);
  await page.getByRole('button', { name: 'Retry b.txt' }).click();
  await expect(link(page, 'b.txt')).toBeVisible();
  await expect(row(page, 'a.txt')).toContainText('Upload failed');
  await page.getByRole('button', { name: 'Retry all' }).click();
  await expect(link(page, 'a.txt')).toBeVisible();
  await expect(link(page, 'c.txt')).toBeVisible();
});

test('an upload can be canceled, and stays in the queue', async ({ page }) => {
  await holdBack(page, call);
  await choose(page, 'a.txt');
  await start(page).click();
  const aborted = page.waitForEvent('requestfailed');
  await page.getByRole('button', { name: 'Cancel a.txt' }).click();
  await aborted;
  await expect(toast(page, 'Upload canceled')).toBeVisible();
  await expect(row(page, 'a.txt')).toContainText('Upload canceled');
  await expect(page.getByRole('button', { name: 'Retry a.txt' })).toBeVisible();
});

test("'Remove' aborts what is on its way", async ({ page }) => {
  await holdBack(page, call);
  await choose(page, 'a.txt', 'b.txt');
  await start(page).click();
  await expect(cancel(page)).toHaveAccessibleName('Cancel a.txt');
  const aborted = page.waitForEvent('requestfailed');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await aborted;
  await expect(toast(page, 'Upload canceled')).toBeVisible();
  await expect(page.getByText('No files selected for upload')).toBeVisible();
  await expect(start(page)).toBeDisabled();
});

test('an answer that is no answer of ours reads well', async ({ page }) => {
  await page.route(call, (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502</h1>' }));
  await choose(page, 'a.txt');
  await start(page).click();
  const words = 'The server gave an answer that could not be read (status 502). Try again later.';
  await expect(row(page, 'a.txt')).toContainText(words);
  await expect(toast(page, `a.txt upload failed: ${words}`)).toBeVisible();
});

test('too many requests make the queue wait and go on by itself', async ({ page }) => {
  let refusals = 0;
  await page.route(call, (route) => {
    refusals += 1;
    return refusals > 2
      ? route.continue()
      : route.fulfill({ status: 429, headers: { 'Retry-After': '0' }, contentType: 'text/html', body: '<h1>429</h1>' });
  });
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(link(page, 'a.txt')).toBeVisible();
  expect(refusals).toBe(3);
});

test('a limit that does not end says what to do', async ({ page }) => {
  await page.route(call, (route) =>
    route.fulfill({ status: 429, headers: { 'Retry-After': '0' }, contentType: 'text/html', body: '<h1>429</h1>' }),
  );
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(row(page, 'a.txt')).toContainText('Too many requests. Wait a moment and try again.');
});

test('an upload goes on while its owner looks at another page', async ({ page }) => {
  const sending = await holdBack(page, call);
  await choose(page, 'a.txt', 'b.txt');
  await start(page).click();
  await expect(page.getByRole('complementary', { name: 'Uploads' })).toBeHidden();
  await page.getByRole('link', { name: 'Account Info' }).click();
  const tray = page.getByRole('complementary', { name: 'Uploads' });
  await expect(tray).toContainText('Uploading 1 of 2');
  await expect(tray).toContainText('a.txt');
  sending.letGo();
  await expect(tray).toContainText('Uploading 2 of 2');
  await tray.getByRole('link', { name: 'Show' }).click();
  await expect(cancel(page)).toHaveAccessibleName('Cancel b.txt');
  await expect(tray).toBeHidden();
  sending.letGo();
  await expect(link(page, 'b.txt')).toBeVisible();
});

test('the tab tells how far it is, on every page', async ({ page }) => {
  const sending = await holdBack(page, call);
  await expect(page).toHaveTitle('Upload Files · Holdfast');
  await choose(page, 'a.txt', 'b.txt');
  await start(page).click();
  await expect(page).toHaveTitle('0% (1 of 2) Upload Files · Holdfast');
  sending.letGo();
  await expect(page).toHaveTitle('50% (2 of 2) Upload Files · Holdfast');
  await page.getByRole('link', { name: 'Account Info' }).click();
  await expect(page).toHaveTitle('50% (2 of 2) Account Info · Holdfast');
  sending.letGo();
  await expect(page).toHaveTitle('Account Info · Holdfast');
});

test('files can be dropped anywhere on the page', async ({ page }) => {
  const files = await carried(page, 'dropped.txt');
  await page.getByRole('banner').dispatchEvent('dragenter', { dataTransfer: files });
  const overlay = page.getByText('Drop to add to the queue');
  await expect(overlay).toBeVisible();
  await overlay.dispatchEvent('drop', { dataTransfer: files });
  await expect(overlay).toBeHidden();
  await expect(row(page, 'dropped.txt')).toContainText('7.00 B');
});

test('files can be pasted', async ({ page }) => {
  const files = await carried(page, 'pasted.txt');
  await page.evaluate(
    (clipboardData) => document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true })),
    files,
  );
  await expect(row(page, 'pasted.txt')).toBeVisible();
});

test('leaving asks first, but only while bytes move', async ({ page }) => {
  const sending = await holdBack(page, call);
  await choose(page, 'a.txt', 'b.txt');
  await start(page).click();
  await expect(cancel(page)).toBeVisible();
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  sending.letGo(2);
  await expect(link(page, 'b.txt')).toBeVisible();
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
});

test('a lost connection pauses the queue, and it resumes by itself', async ({ page, context }) => {
  const sending = await holdBack(page, call);
  await choose(page, 'a.txt');
  await start(page).click();
  await expect(cancel(page)).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expect(cancel(page)).toBeHidden();
  sending.letGo(2);
  await context.setOffline(false);
  await expect(link(page, 'a.txt')).toBeVisible();
  await expect(page.getByText('You are offline.')).toBeHidden();
});
