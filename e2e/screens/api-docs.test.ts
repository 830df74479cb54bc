import type { Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

const anchors = [
  'getting-started',
  'rate-limits',
  'api-requests',
  'api-responses',
  'authentication',
  'file',
  'upload',
  'get-file-list',
  'toggle-favorite',
  'delete-files',
  'get-account-info',
  'get-account-settings',
];

const badges = ['GET', 'POST', 'GET', 'POST', 'DELETE', 'GET', 'GET'];

const index = (page: Page) => page.getByRole('navigation', { name: 'On this page' });
const section = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name, exact: true });
const choose = (page: Page, language: string) => page.getByRole('radio', { name: language, exact: true }).check();
const sample = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true });

async function open(page: Page, hash = '') {
  await page.goto(`/api-docs${hash}`);
  await expect(pageHeading(page)).toHaveText('API Docs');
}

async function copySample(page: Page, title: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const button = page.getByRole('button', { name: `Copy: ${title}`, exact: true });
  await button.click();
  await expect(button).toHaveAttribute('data-copied');
  return page.evaluate(() => navigator.clipboard.readText());
}

test('the sections stand in their order, without the bar and the footer of the site', async ({ page }) => {
  await open(page);
  expect(await page.locator('main > section').evaluateAll((all) => all.map(({ id }) => id))).toEqual(anchors);
  expect(
    await index(page)
      .getByRole('link')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href'))),
  ).toEqual(anchors.map((anchor) => `#${anchor}`));
  await expect(index(page).getByText(/^(GET|POST|DELETE)$/)).toHaveText(badges);
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
  await expect(page.getByRole('contentinfo')).toHaveCount(0);
  await expect(section(page, 'Getting started')).toContainText('Version 3.1, last updated September 12th 2025.');
});

test('there is a way home', async ({ page }) => {
  await open(page);
  await page.getByRole('link', { name: 'Holdfast' }).first().click();
  await expect(page).toHaveURL('/');
});

test('the index follows what is read', async ({ page }) => {
  await open(page);
  const current = index(page).locator('[aria-current]');
  await expect(current).toHaveText('Getting started');
  for (const anchor of anchors) {
    await index(page).locator(`a[href="#${anchor}"]`).click();
    await expect(current).toHaveAttribute('href', `#${anchor}`);
    await expect(page).toHaveURL(`/api-docs#${anchor}`);
  }
});

test('a link to a section opens there', async ({ page }) => {
  await open(page, '#delete-files');
  await expect(section(page, 'Delete files')).toBeInViewport();
  await expect(index(page).locator('[aria-current]')).toHaveAttribute('href', '#delete-files');
});

test('on a phone the index is a menu', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page);
  await expect(index(page)).toBeHidden();
  await page.getByRole('button', { name: 'On this page' }).click();
  await index(page).getByRole('link', { name: 'Toggle favorite' }).click();
  await expect(index(page)).toBeHidden();
  await expect(section(page, 'Toggle favorite')).toBeInViewport();
});

test('one switch changes every sample, and the page remembers it', async ({ page }) => {
  await open(page);
  await expect(sample(page, 'Upload · curl')).toContainText('curl --fail-with-body');
  await choose(page, 'Python');
  await expect(sample(page, 'Upload · Python')).toContainText('urlopen');
  await expect(sample(page, 'Delete files · Python')).toContainText('q7Rt2mXa');
  await page.reload();
  await expect(sample(page, 'Get file list · Python')).toBeVisible();
});

for (const width of [390, 1440])
  test(`another language leaves the reader where they are, at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, '#delete-files');
    const read = section(page, 'Delete files');
    await expect(read).toBeInViewport();
    const top = async () => Math.round((await read.boundingBox())?.y ?? Number.NaN);
    const before = await top();
    await page.getByRole('radio', { name: 'curl' }).evaluate((radio) => radio.focus({ preventScroll: true }));
    for (const name of ['JavaScript', 'Python', 'Java', 'ShareX']) {
      await page.keyboard.press('ArrowRight');
      await expect(page.getByRole('radio', { name, exact: true })).toBeChecked();
      expect(await top(), name).toBe(before);
    }
  });

test('a stranger reads and copies samples with a word in place of a key', async ({ page }) => {
  await open(page);
  await expect(sample(page, 'Upload · curl')).toContainText('X-API-Key: YOUR_API_KEY');
  expect(await copySample(page, 'Upload · curl')).toContain('X-API-Key: YOUR_API_KEY');
});

test('a signed-in user copies samples with their own key, which is not displayed', async ({
  signedInPage,
  regular,
}) => {
  const page = signedInPage;
  await open(page);
  for (const language of ['curl', 'JavaScript', 'Python', 'Java']) {
    await choose(page, language);
    await expect(sample(page, `Upload · ${language}`)).toContainText('hf_••••');
    expect(await copySample(page, `Upload · ${language}`)).toContain(regular.apiKey);
  }
  expect(await page.content()).not.toContain(regular.apiKey);
});

test('the key is one link away', async ({ signedInPage: page }) => {
  await open(page);
  await section(page, 'Authentication').getByRole('link', { name: 'Account Info' }).click();
  await expect(page).toHaveURL('/dashboard/account-info');
});

test('the uploader for ShareX has the address and the key of who downloads it', async ({
  signedInPage: page,
  regular,
  site,
}) => {
  await open(page);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download .sxcu' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe('Holdfast.sxcu');
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({
    RequestURL: `${site.url}/api/v3/upload`,
    Headers: { 'X-API-Key': regular.apiKey },
    URL: '{json:url}',
  });
});

test('every call says what it takes, gives and refuses', async ({ page }) => {
  await open(page);
  const list = section(page, 'Get file list');
  await expect(list.getByText('/api/v3/rest/get-file-list', { exact: true })).toBeVisible();
  await expect(list.getByText('integer, 1 to 500, default')).toBeVisible();
  await expect(list.getByText('files[].sha256')).toBeVisible();
  await expect(list.getByText('AUTH_INVALID_KEY')).toBeVisible();
  await expect(section(page, 'Upload').getByText('507')).toBeVisible();
  await expect(section(page, 'File').getByText('416')).toBeVisible();
});

test('on paper there is neither index nor switch, and every line of a sample', async ({ page }) => {
  await open(page);
  await page.emulateMedia({ media: 'print' });
  await expect(index(page)).toBeHidden();
  await expect(page.getByLabel('JavaScript')).toBeHidden();
  const cut = await page
    .locator('figure section')
    .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length);
  expect(cut).toBe(0);
});
