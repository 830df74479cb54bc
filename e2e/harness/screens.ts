/** Every page of the app, and the facts that tests check on each of them. */
import type { Page } from '@playwright/test';
import { pageHeading } from './screen.ts';
import { missingPath } from './healthy-page.ts';
import { expect } from './test.ts';

export interface Screen {
  readonly path: string;
  readonly heading: string;
  /** The tab title before the site's name, if it is not the heading. */
  readonly tab?: string;
  /** The visitors who see it; everyone if left out. Others are redirected. */
  readonly only?: 'guests' | 'owner';
  /** The page does not exist, and the server responds with 404. */
  readonly missing?: boolean;
  /** Resolves when the page has loaded its content. */
  readonly ready?: (page: Page) => Promise<unknown>;
}

const nothingHere = "Whoops, there's nothing here...";
const fileShown = (page: Page) => page.getByText('kelp.txt').first().waitFor();
const deletedShown = (page: Page) => page.getByText('Nothing to restore').waitFor();
const settingsShown = (page: Page) => page.getByRole('slider').first().waitFor();
const termsShown = (page: Page) => page.getByText('You are on the free plan.').waitFor();
const activityShown = (page: Page) => page.getByText('No activity').waitFor();
const sessionsShown = (page: Page) => page.getByText('This browser').waitFor();

export const screens: readonly Screen[] = [
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
  // Not next to the page without a key: from there a browser would not load it again.
  { path: '/reset-password#key=kelp', heading: 'Reset Password', only: 'guests' },
  { path: '/forget-password', heading: 'Forgot Password', only: 'guests' },
  { path: '/reset-password', heading: 'Reset Password', only: 'guests' },
  { path: missingPath, heading: nothingHere, tab: 'Not found', missing: true },
  { path: '/dashboard', heading: 'Upload Files', only: 'owner' },
  { path: '/dashboard/file-management', heading: 'File Management', only: 'owner', ready: fileShown },
  { path: '/dashboard/deleted-files', heading: 'Recently Deleted', only: 'owner', ready: deletedShown },
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

/** Opens the page and waits until it has loaded its content. */
export async function visit(page: Page, { path, heading, ready, missing }: Screen) {
  const answer = await page.goto(path);
  expect(answer?.status()).toBe(missing ? 404 : 200);
  await expect(pageHeading(page)).toHaveText(heading);
  await ready?.(page);
}
