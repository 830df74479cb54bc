/**
 * Data that pages keep in the browser beside its cookies. OWASP ASVS 14.3.3: "data stored in browser storage … does not
 * contain sensitive data".
 */
import type { Page } from '@playwright/test';
import { screens, visit } from '../harness/screens.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

test('after a visit of every page the browser keeps only four choices', async ({ page, person, site }) => {
  test.slow();
  await uploadByKey(site, person, 'kelp.txt', 'kelp');
  for (const screen of screens.filter(({ only }) => only !== 'guests')) await visit(page, screen);
  await page.getByRole('radio', { name: 'Dark' }).check();
  await page.goto('/dashboard');
  await page.getByRole('switch', { name: 'Remove location from photos' }).check();
  await page.goto('/dashboard/file-management');
  await page.getByRole('switch', { name: 'Previews' }).uncheck();
  await page.goto('/api-docs');
  await page.getByRole('radio', { name: 'Python', exact: true }).check();
  expect(await storedBy(page)).toEqual({
    local: { theme: 'dark', 'api-docs-language': 'python', previews: 'off', location: 'remove' },
    session: {},
    databases: [],
    caches: [],
    cookies: '',
  });
});

/** `cookies` are those that scripts can read. */
const storedBy = (page: Page) =>
  page.evaluate(async () => ({
    local: { ...localStorage } as Record<string, string>,
    session: { ...sessionStorage } as Record<string, string>,
    databases: (await indexedDB.databases()).map(({ name }) => name),
    // Only pages over HTTPS and on localhost have it.
    caches: 'caches' in window ? await caches.keys() : [],
    cookies: document.cookie,
  }));
