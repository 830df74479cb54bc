import type { Page } from '@playwright/test';
import { pageHeading } from './harness/screen.ts';
import { expect, expectSound, missingPath, test } from './harness/sound-page.ts';

/** What holds on every page, whichever it is. */
interface Screen {
  readonly path: string;
  readonly heading: string;
  /** What the tab says before the site's name, where it is not the heading. */
  readonly tab?: string;
  /** Who sees it: a page that nobody is named for is for everybody. The others lead elsewhere. */
  readonly only?: 'guests' | 'owner';
  /** There is no such page, and the server says so too. */
  readonly missing?: boolean;
  /** Resolves when the page has what it shows. */
  readonly ready?: (page: Page) => Promise<unknown>;
}

const nothingHere = "Whoops, there's nothing here...";
const fileShown = (page: Page) => page.getByText('kelp.txt').first().waitFor();
const settingsShown = (page: Page) => page.getByRole('slider').first().waitFor();
const termsShown = (page: Page) => page.getByText('You pay nothing.').waitFor();
const activityShown = (page: Page) => page.getByText('Nothing has happened').waitFor();
const sessionsShown = (page: Page) => page.getByText('This browser').waitFor();

const screens: readonly Screen[] = [
  { path: '/', heading: 'A link that holds.', tab: 'Home' },
  { path: '/about-us', heading: 'About Us' },
  { path: '/faqs', heading: 'Frequently asked questions', tab: 'FAQs' },
  { path: '/terms-of-service', heading: 'Terms of Service' },
  { path: '/privacy-policy', heading: 'Privacy Policy' },
  { path: '/dmca-policy', heading: 'DMCA Policy' },
  { path: '/speed-test', heading: 'Speed Test', ready: (page) => page.getByText('Local').waitFor() },
  { path: '/plan-pricing', heading: 'Pricing' },
  { path: '/api-docs', heading: 'API Docs' },
  { path: '/sign-in', heading: 'Sign In', only: 'guests' },
  { path: '/sign-up', heading: 'Sign Up', only: 'guests' },
  { path: '/verify-code', heading: 'Verify Email', only: 'guests' },
  { path: '/forget-password', heading: 'Forgot Password', only: 'guests' },
  { path: '/reset-password', heading: 'Reset Password', only: 'guests' },
  { path: '/reset-password?key=kelp', heading: 'Reset Password', only: 'guests' },
  { path: missingPath, heading: nothingHere, tab: 'Not found', missing: true },
  { path: '/dashboard', heading: 'Upload Files', only: 'owner' },
  { path: '/dashboard/file-management', heading: 'File Management', only: 'owner', ready: fileShown },
  { path: '/dashboard/account-info', heading: 'Account Info', only: 'owner' },
  { path: '/dashboard/plan-info', heading: 'Plan Info', only: 'owner', ready: termsShown },
  { path: '/dashboard/usage', heading: 'Usage', only: 'owner', ready: activityShown },
  { path: '/dashboard/settings', heading: 'Settings', only: 'owner' },
  { path: '/dashboard/general', heading: 'General Settings', only: 'owner', ready: settingsShown },
  { path: '/dashboard/security', heading: 'Security', only: 'owner', ready: sessionsShown },
  { path: '/dashboard/change-api', heading: 'Change API', only: 'owner' },
  { path: '/dashboard/delete-account', heading: 'Delete Account', only: 'owner' },
  { path: `/dashboard${missingPath}`, heading: nothingHere, tab: 'Not found', only: 'owner', missing: true },
];

for (const screen of screens) {
  const title = `${screen.path} is sound at every width, light and dark, signed`;
  const body = async (page: Page, problems: readonly string[]) => {
    test.slow(screen.path === '/api-docs', 'the longest page, and six times the whole of axe');
    await visit(page, screen);
    await expect(page).toHaveTitle(`${screen.tab ?? screen.heading} · Holdfast`);
    await expect(pageHeading(page)).toHaveCount(1);
    await expectSound(page, problems, [1440, 768, 390]);
  };
  if (screen.only !== 'owner') test(`${title} out`, ({ page, problems }) => body(page, problems));
  if (screen.only !== 'guests')
    test(`${title} in`, async ({ ownersPage, problems }) => {
      await body(ownersPage, problems);
      await expect(ownersPage.getByRole('link', { name: 'Sign In' })).toBeHidden();
    });
}

async function visit(page: Page, { path, heading, ready, missing }: Screen) {
  const answer = await page.goto(path);
  expect(answer?.status()).toBe(missing ? 404 : 200);
  await expect(pageHeading(page)).toHaveText(heading);
  await ready?.(page);
}
