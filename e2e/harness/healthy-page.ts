/** The test function for rules that every page must follow, and the checks themselves. */
import type { ConsoleMessage, Page } from '@playwright/test';
import { brokenRules, overflow, paint } from './axe.ts';
import type { Site } from './site.ts';
import { expect, type Person, signUpOnce, test as base, uploadByKey } from './test.ts';

export { expect } from '@playwright/test';

export const missingPath = '/no/such/page';

/** The error message of every call that these tests refuse. */
const refusalWords = 'Not today.';

/** `ownersPage` is the page of an account with files. `problems` collects forbidden behavior of the page. */
export const test = base.extend<{ problems: readonly string[]; ownersPage: Page; owner: Person }>({
  owner: async ({ keeper, sharedSite, browser, context }, use) => {
    const make = async () => {
      const signed = await signUpOnce(sharedSite, browser);
      for (const name of ['kelp.txt', 'reef.png', `${'a-name-that-goes-on-and-on-'.repeat(5)}.zip`])
        await uploadByKey(sharedSite, signed.person, name);
      return signed;
    };
    const { person, cookies } = await keeper.keep('owner of a sound page', make);
    await context.addCookies(cookies);
    await use(person);
  },
  ownersPage: ({ page, owner }, use) => use(owner && page),
  problems: async ({ page, site }, use) => use(await listenForProblems(page, site)),
});

/** Runs axe at each width in each theme, and expects no horizontal scrolling and no problems so far. */
export async function expectAccessibleAtWidths(
  page: Page,
  problems: readonly string[],
  widths: readonly number[],
  themes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of themes) {
      await paint(page, theme);
      expect(await brokenRules(page), `axe at ${width}, ${theme}`).toEqual([]);
    }
    await expect.poll(() => overflow(page), `to the side at ${width}`).toBe(0);
  }
  // The width of a page at 400 % zoom on a screen of 1280 (WCAG 1.4.10).
  await page.setViewportSize({ width: 320, height: 640 });
  // Parts that a script chooses by the width follow a moment later.
  await expect.poll(() => overflow(page), 'to the side at 320').toBe(0);
  expect(problems).toEqual([]);
}

async function listenForProblems(page: Page, site: Site): Promise<readonly string[]> {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isRefusal(message))
      problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== site.url && protocol !== 'data:' && protocol !== 'blob:') problems.push(`asks ${request.url()}`);
  });
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      console.error(`policy: ${effectiveDirective} ${blockedURI}`),
    ),
  );
  return problems;
}

/** The browser logs every refused call. These are expected: the tests cause them. */
const refusals = {
  [missingPath]: 404,
  '/upload': 415,
  '/change-password': 403,
  '/change-api-key': 400,
  '/delete-account': 400,
  '/get-file-list': 400,
  '/get-sessions': 400,
  '/get-account-settings': 400,
  '/get-activity': 400,
  '/get-subscription': 400,
  '/get-eviction-preview': 400,
};

const isRefusal = (message: ConsoleMessage): boolean =>
  // The pages log refused calls as well.
  message.text().startsWith(`CallFailed: ${refusalWords}`) ||
  Object.entries(refusals).some(
    ([path, status]) =>
      message.location().url.split('?')[0]?.endsWith(path) && message.text().includes(`status of ${status} `),
  );
