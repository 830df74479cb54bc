import type { Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { pageHeading } from '../harness/screen.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { expect, test } from '../harness/test.ts';

const docsAnchors = [
  'getting-started',
  'rate-limits',
  'api-requests',
  'api-responses',
  'authentication',
  'file',
  'upload',
  'put-file',
  'upload-batch',
  'tus',
  'get-file-list',
  'toggle-favorite',
  'delete-files',
  'restore-files',
  'get-account-info',
  'get-account-settings',
];
const docsIndex = (page: Page): Locator => page.getByRole('navigation', { name: 'On this page' });
const docsSection = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('region', { name, exact: true });

async function openDocs(page: Page, hash = ''): Promise<void> {
  await page.goto(`/api-docs${hash}`);
  await expect(pageHeading(page)).toHaveText('API Docs');
}

async function allowCopies(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await stopClock(page);
}

const badges = ['GET', 'POST', 'PUT', 'POST', 'POST', 'GET', 'POST', 'DELETE', 'POST', 'GET', 'GET'];
const chooseLanguage = (page: Page, language: string) =>
  page.getByRole('radio', { name: language, exact: true }).check();
const docsSample = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true });

const copyButton = (page: Page, title: string) => page.getByRole('button', { name: `Copy: ${title}`, exact: true });

/** The mark of a copy lasts two seconds, so the page's clock has to be stopped. */
async function copySample(page: Page, title: string): Promise<string> {
  const button = copyButton(page, title);
  await button.click();
  await expect(button).toHaveAttribute('data-copied');
  return page.evaluate(() => navigator.clipboard.readText());
}

test('the sections are in order, and a link to a section scrolls to it', { tag: '@detail' }, async ({ page }) => {
  await openDocs(page, '#delete-files');
  await expect(docsSection(page, 'Delete files')).toBeInViewport();
  await expect(docsIndex(page).locator('[aria-current]')).toHaveAttribute('href', '#delete-files');
  expect(await page.locator('main > section').evaluateAll((all) => all.map(({ id }) => id))).toEqual(docsAnchors);
  const links = docsIndex(page).getByRole('link');
  expect(await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')))).toEqual(
    docsAnchors.map((anchor) => `#${anchor}`),
  );
  await expect(docsIndex(page).getByText(/^(GET|POST|PUT|DELETE)$/)).toHaveText(badges);
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
  await expect(page.getByRole('contentinfo')).toHaveCount(0);
  await expect(docsSection(page, 'Getting started')).toContainText('Version 3.1, last updated September 12th 2025.');

  const list = docsSection(page, 'Get file list');
  await expect(list.getByText('/api/v3/rest/get-file-list', { exact: true })).toBeVisible();
  await expect(list.getByText('integer, 1 to 500, default')).toBeVisible();
  await expect(list.getByText('files[].sha256')).toBeVisible();
  await expect(list.getByText('AUTH_INVALID_KEY')).toBeVisible();
  await expect(docsSection(page, 'Upload').getByText('507')).toBeVisible();
  await expect(docsSection(page, 'File').getByText('416')).toBeVisible();
});

test(
  'a visitor copies samples with a placeholder, in a language that is remembered',
  { tag: '@detail' },
  async ({ page }) => {
    await openDocs(page);
    await expect(docsSample(page, 'Upload · curl')).toContainText('curl --fail-with-body');
    await allowCopies(page);
    expect(await copySample(page, 'Upload · curl')).toContain('X-API-Key: YOUR_API_KEY');
    await page.clock.runFor(1800);
    await copySample(page, 'Upload · curl');
    await page.clock.runFor(1800);
    await expect(copyButton(page, 'Upload · curl')).toHaveAttribute('data-copied');
    await page.clock.runFor(300);
    await expect(copyButton(page, 'Upload · curl')).not.toHaveAttribute('data-copied');
    await chooseLanguage(page, 'Python');
    await expect(docsSample(page, 'Upload · Python')).toContainText('urlopen');
    await expect(docsSample(page, 'Delete files · Python')).toContainText('q7Rt2mXa');
    await expect(docsSample(page, 'Upload many files · curl')).toContainText('upload-batch');
    await page.reload();
    await expect(docsSample(page, 'Get file list · Python')).toBeVisible();
  },
);

test('a signed-in user gets samples and a ShareX uploader with their own key, which is not displayed', async ({
  signedInPage: page,
  regular,
  site,
}) => {
  await openDocs(page);
  await allowCopies(page);
  for (const language of ['curl', 'SDK', 'JavaScript', 'Python', 'Java']) {
    await chooseLanguage(page, language);
    await expect(docsSample(page, `Upload · ${language}`)).toContainText('hf_••••');
    expect(await copySample(page, `Upload · ${language}`)).toContain(regular.apiKey);
  }
  expect(await page.content()).not.toContain(regular.apiKey);
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
