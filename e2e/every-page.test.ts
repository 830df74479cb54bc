import { AxeBuilder } from '@axe-core/playwright';
import type { ConsoleMessage, Page } from '@playwright/test';
import { holdBack } from './harness/hold-back.ts';
import { pageHeading } from './harness/screen.ts';
import type { Site } from './harness/site.ts';
import { expect, type Person, test as base, uploadByKey } from './harness/test.ts';

/** What holds on every page, whichever it is. */
interface Screen {
  readonly path: string;
  readonly heading: string;
  /** What the tab says before the site's name, where it is not the heading. */
  readonly tab?: string;
  readonly signedIn?: boolean;
  /** There is no such page, and the server says so too. */
  readonly missing?: boolean;
  /** Resolves when the page has what it shows. */
  readonly ready?: (page: Page) => Promise<unknown>;
}

const missingPath = '/no/such/page';
const nothingHere = "Whoops, there's nothing here...";
const fileShown = (page: Page) => page.getByText('kelp.txt').first().waitFor();
const settingsShown = (page: Page) => page.getByRole('slider').first().waitFor();
const sessionsShown = (page: Page) => page.getByText('This browser').waitFor();

const screens: readonly Screen[] = [
  { path: '/', heading: 'A link that holds.', tab: 'Home' },
  { path: '/sign-in', heading: 'Sign In' },
  { path: '/sign-up', heading: 'Sign Up' },
  { path: '/verify-code', heading: 'Verify Email' },
  { path: '/forget-password', heading: 'Forgot Password' },
  { path: '/reset-password', heading: 'Reset Password' },
  { path: '/reset-password?key=kelp', heading: 'Reset Password' },
  { path: missingPath, heading: nothingHere, tab: 'Not found', missing: true },
  { path: '/dashboard', heading: 'Upload Files', signedIn: true },
  { path: '/dashboard/file-management', heading: 'File Management', signedIn: true, ready: fileShown },
  { path: '/dashboard/account-info', heading: 'Account Info', signedIn: true },
  { path: '/dashboard/plan-info', heading: 'Plan Info', signedIn: true },
  { path: '/dashboard/usage', heading: 'Usage', signedIn: true },
  { path: '/dashboard/general', heading: 'General Settings', signedIn: true, ready: settingsShown },
  { path: '/dashboard/security', heading: 'Security', signedIn: true, ready: sessionsShown },
  { path: '/dashboard/change-api', heading: 'Change API', signedIn: true },
  { path: '/dashboard/delete-account', heading: 'Delete Account', signedIn: true },
  { path: `/dashboard${missingPath}`, heading: nothingHere, tab: 'Not found', signedIn: true, missing: true },
];

/** `ownersPage` is the page of someone who has files; `problems` are what the page did that no page may do. */
const test = base.extend<{ problems: readonly string[]; ownersPage: Page }, { owner: Person }>({
  owner: [
    async ({ site, signedOnce: { person } }, use) => {
      for (const name of ['kelp.txt', 'reef.png', `${'a-name-that-goes-on-and-on-'.repeat(5)}.zip`])
        await uploadByKey(site, person, name);
      await use(person);
    },
    { scope: 'worker' },
  ],
  ownersPage: ({ signedInPage, owner }, use) => use(owner && signedInPage),
  problems: async ({ page, site }, use) => use(await listen(page, site)),
});

async function listen(page: Page, site: Site): Promise<readonly string[]> {
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

/** The browser itself writes down every refusal. These are no faults: tests here ask for them. */
const refusals = { '/get-account-info': 401, [missingPath]: 404, '/upload': 415, '/change-password': 403 };

const isRefusal = (message: ConsoleMessage): boolean =>
  Object.entries(refusals).some(
    ([path, status]) => message.location().url.endsWith(path) && message.text().includes(`status of ${status} `),
  );

/** Only rules that were broken, with the places: that is what a reader of a failure wants. */
async function axe(page: Page, rules?: string): Promise<readonly string[]> {
  // Its other mode opens a second page for the frames that a page may have; ours have none.
  const builder = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (rules === undefined ? builder : builder.withRules(rules)).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

async function paint(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
  // A colour that is half way from one theme to the other has no contrast to speak of.
  await page.waitForFunction(() => document.getAnimations().length === 0);
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function expectSound(page: Page, problems: readonly string[]) {
  await paint(page, 'light');
  expect(await axe(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  // Nothing but the colours is another in the dark.
  await paint(page, 'dark');
  expect(await axe(page, 'color-contrast')).toEqual([]);
  expect(problems).toEqual([]);
}

for (const width of [1440, 390]) {
  for (const screen of screens) {
    const title = `${screen.path} is sound at ${width}, light and dark, signed ${screen.signedIn ? 'in' : 'out'}`;
    const body = async (page: Page, problems: readonly string[]) => {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await visit(page, screen);
      await expect(page).toHaveTitle(`${screen.tab ?? screen.heading} · Holdfast`);
      await expect(pageHeading(page)).toHaveCount(1);
      await expectSound(page, problems);
    };
    if (screen.signedIn) test(title, ({ ownersPage, problems }) => body(ownersPage, problems));
    else test(title, ({ page, problems }) => body(page, problems));
  }
}

async function visit(page: Page, { path, heading, ready, missing }: Screen) {
  const answer = await page.goto(path);
  expect(answer?.status()).toBe(missing ? 404 : 200);
  await expect(pageHeading(page)).toHaveText(heading);
  await ready?.(page);
}

/** What opens over a page or takes its place, and how it gets there. */
const openings: readonly {
  readonly what: string;
  readonly width: number;
  readonly open: (page: Page) => Promise<void>;
}[] = [
  {
    what: 'the account menu',
    width: 1440,
    open: async (page) => {
      await page.goto('/dashboard/account-info');
      await page.getByRole('button', { name: 'Account menu' }).click();
      await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
    },
  },
  {
    what: 'the sidebar of a phone, with its settings open',
    width: 390,
    open: async (page) => {
      await page.goto('/dashboard/account-info');
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await page.getByRole('button', { name: 'Settings' }).click();
      await expect(page.getByRole('link', { name: 'Delete Account' })).toBeVisible();
    },
  },
  {
    what: 'the public navigation of a phone',
    width: 390,
    open: async (page) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await expect(page.getByRole('dialog').getByRole('link', { name: 'FAQs' })).toBeVisible();
    },
  },
  {
    what: 'a preview, chosen files and a toast',
    width: 1440,
    open: async (page) => {
      await page.goto('/dashboard/file-management');
      await page.getByRole('checkbox', { name: 'Select kelp.txt' }).check();
      await page.getByRole('button', { name: 'Copy link of kelp.txt' }).click();
      await page.getByRole('link', { name: 'kelp.txt' }).hover();
      await expect(page.getByText('Preview unavailable for this file type')).toBeVisible();
    },
  },
  {
    what: 'a list on its way',
    width: 1440,
    open: async (page) => {
      await holdBack(page, '**/get-file-list*');
      await page.goto('/dashboard/file-management');
      await expect(page.getByRole('row')).toHaveCount(7);
    },
  },
  {
    what: 'an upload queue with a warning, a refusal, a link and an open menu',
    width: 390,
    open: async (page) => {
      await page.goto('/dashboard');
      const choose = (name: string) =>
        page
          .getByLabel('Files to upload')
          .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('hold fast') });
      await choose('setup.exe');
      await choose('kelp.txt');
      await page.getByRole('button', { name: 'Upload Files' }).click();
      await expect(page.getByRole('button', { name: 'Copy link of kelp.txt' })).toBeVisible();
      await choose('another.exe');
      await page.getByRole('button', { name: 'Copy all links' }).click();
      await expect(page.getByRole('menuitem', { name: 'Markdown' })).toBeVisible();
    },
  },
  {
    what: 'the tray of an upload',
    width: 1440,
    open: async (page) => {
      await holdBack(page, '**/api/v3/upload');
      await page.goto('/dashboard');
      await page
        .getByLabel('Files to upload')
        .setInputFiles({ name: 'kelp.txt', mimeType: 'text/plain', buffer: Buffer.from('hold fast') });
      await page.getByRole('button', { name: 'Upload Files' }).click();
      await page.getByRole('link', { name: 'Plan Info' }).click();
      await expect(page.getByRole('complementary', { name: 'Uploads' })).toBeVisible();
    },
  },
  {
    what: 'a new password that was refused',
    width: 390,
    open: async (page) => {
      await page.goto('/dashboard/security');
      await page.getByLabel('Old password').fill('Wrong-Horse-7');
      await page.getByLabel('New password').fill('Battery-Staple-8');
      await page.getByRole('button', { name: 'Save & Update' }).click();
      await expect(page.getByRole('alert')).toHaveText('The old password is not right.');
      await sessionsShown(page);
    },
  },
  {
    what: 'a new API key',
    width: 390,
    open: async (page) => {
      await page.goto('/dashboard/change-api');
      await page.getByRole('button', { name: 'Generate new API key' }).click();
      await expect(page.getByRole('heading', { name: 'Your new API key' })).toBeFocused();
    },
  },
  {
    what: 'the last question before an account is deleted',
    width: 390,
    open: async (page) => {
      await page.goto('/dashboard/delete-account');
      await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
      await page.getByRole('button', { name: 'Delete my account for good' }).click();
      await expect(page.getByText("Please type 'delete' to confirm")).toBeVisible();
    },
  },
  {
    what: 'the list of time zones',
    width: 390,
    open: async (page) => {
      await page.route('**/get-account-settings', async (route) => {
        const answer = await (await route.fetch()).text();
        await route.fulfill({ body: answer.replace('"timezone_auto":true', '"timezone_auto":false') });
      });
      await page.goto('/dashboard/general');
      await page.getByRole('button', { name: /^Manual Timezone/ }).click();
      await page.keyboard.type('america');
      await expect(page.getByRole('option', { name: 'America/New_York' })).toBeVisible();
    },
  },
  {
    what: 'a form with every message',
    width: 390,
    open: async (page) => {
      await page.context().clearCookies();
      await page.goto('/sign-up');
      await page.getByLabel('Email', { exact: true }).fill('kelp');
      await page.getByLabel('Password', { exact: true }).fill('kelp');
      await page.getByLabel('Confirm password').fill('reef');
      await expect(page.getByText('Passwords do not match')).toBeVisible();
    },
  },
];

for (const { what, width, open } of openings) {
  test(`${what}: sound at ${width}, light and dark`, async ({ ownersPage: page, problems }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page);
    await expectSound(page, problems);
  });
}
