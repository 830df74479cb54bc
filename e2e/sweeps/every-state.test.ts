import type { Page, Route } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { errorBox, checkingSession } from '../harness/screen.ts';
import { expect, expectAccessibleAtWidths, refusalWords, test } from '../harness/sound-page.ts';

const all = [1440, 768, 390] as const;
const both = [1440, 390] as const;

const refuse = (route: Route) =>
  route.fulfill({ status: 400, json: { success: false, error: { code: 'INVALID_INPUT', message: refusalWords } } });

/** Every state in which data is missing, loading or refused, and the steps to reach it. */
const states: readonly {
  readonly what: string;
  readonly widths: readonly number[];
  readonly open: (page: Page) => Promise<void>;
}[] = [
  {
    what: 'the session check',
    widths: both,
    open: async (page) => {
      await holdBack(page, '**/get-account-info');
      await page.goto('/dashboard');
      await expect(checkingSession(page)).toBeVisible();
    },
  },
  {
    what: 'a list that failed to load',
    widths: both,
    open: async (page) => {
      await page.route('**/get-file-list*', refuse);
      await page.goto('/dashboard/file-management');
      await expect(errorBox(page)).toContainText('The list could not be loaded');
    },
  },
  {
    what: 'a list that could not be refreshed',
    widths: both,
    open: async (page) => {
      await page.goto('/dashboard/file-management');
      await expect(page.getByText('kelp.txt').first()).toBeVisible();
      await page.route('**/get-file-list*', refuse);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect(errorBox(page)).toContainText('The list could not be refreshed');
    },
  },
  {
    what: 'an empty page of the list',
    widths: both,
    open: async (page) => {
      await page.goto('/dashboard/file-management?page=7');
      await expect(page.getByText('There is nothing on page 7')).toBeVisible();
    },
  },
  {
    what: 'selected files and a star',
    widths: all,
    open: async (page) => {
      await page.goto('/dashboard/file-management');
      await page.getByRole('button', { name: 'Favorite kelp.txt' }).click();
      await page.getByRole('checkbox', { name: 'Select kelp.txt' }).check();
      await expect(page.getByRole('checkbox', { name: 'Select all files' })).toBeChecked({ indeterminate: true });
    },
  },
  {
    what: 'files that are being deleted',
    widths: both,
    open: async (page) => {
      await holdBack(page, '**/delete-files');
      await page.goto('/dashboard/file-management');
      await page.getByRole('checkbox', { name: 'Select all files' }).check();
      await page.getByRole('button', { name: /^Delete Selected \(\d+\)$/ }).click();
      await expect(page.getByRole('button', { name: 'Deleting...' })).toBeVisible();
    },
  },
  {
    what: 'settings that are loading',
    widths: both,
    open: async (page) => {
      await holdBack(page, '**/get-account-settings');
      await page.goto('/dashboard/general');
      await expect(page.getByText('Loading settings...')).toBeVisible();
    },
  },
  {
    what: 'settings that failed to load',
    widths: both,
    open: async (page) => {
      await page.route('**/get-account-settings', refuse);
      await page.goto('/dashboard/general');
      await expect(errorBox(page)).toContainText('The settings could not be loaded');
    },
  },
  {
    what: 'sessions that are loading',
    widths: both,
    open: async (page) => {
      await holdBack(page, '**/get-sessions');
      await page.goto('/dashboard/security');
      await expect(page.getByText('Loading sessions...')).toBeAttached();
    },
  },
  {
    what: 'sessions that failed to load',
    widths: both,
    open: async (page) => {
      await page.route('**/get-sessions', refuse);
      await page.goto('/dashboard/security');
      await expect(errorBox(page)).toContainText('The sessions could not be loaded');
    },
  },
  {
    what: 'activity that failed to load',
    widths: both,
    open: async (page) => {
      await page.route('**/get-activity*', refuse);
      await page.goto('/dashboard/usage');
      await expect(errorBox(page)).toContainText('The activity could not be loaded');
    },
  },
  {
    what: 'a subscription that failed to load',
    widths: both,
    open: async (page) => {
      await page.route('**/get-subscription', refuse);
      await page.goto('/dashboard/plan-info');
      await expect(errorBox(page)).toContainText('Your subscription could not be loaded');
    },
  },
  {
    what: 'a payment whose plan is not active yet',
    widths: all,
    open: async (page) => {
      await page.goto('/dashboard/plan-info?checkout=paid');
      await expect(page.getByText('Waiting for the confirmation of your payment...')).toBeVisible();
    },
  },
  {
    what: 'a preview of evicted files that failed to load',
    widths: both,
    open: async (page) => {
      await page.route('**/get-eviction-preview', refuse);
      await page.goto('/dashboard/general');
      await page.getByRole('switch', { name: 'Continuous Uploading' }).click();
      await expect(errorBox(page)).toContainText('The files that would be deleted first could not be loaded');
    },
  },
  {
    what: 'a problem reported on the Pricing page',
    widths: all,
    open: async (page) => {
      await page.goto('/plan-pricing?problem=granted');
      await expect(errorBox(page)).toContainText('Your plan came from the operator');
    },
  },
  {
    what: 'an API key that is shown',
    widths: both,
    open: async (page) => {
      await page.goto('/dashboard/account-info');
      await page.getByRole('button', { name: 'Copy API key' }).hover();
      await expect(page.getByText(/^hf_\w{46}$/)).toBeVisible();
    },
  },
  {
    what: 'a new API key that is being generated',
    widths: both,
    open: async (page) => {
      await holdBack(page, '**/change-api-key');
      await page.goto('/dashboard/change-api');
      await page.getByRole('button', { name: 'Generate new API key' }).click();
      await expect(page.getByRole('button', { name: 'Generating new API key...' })).toBeVisible();
    },
  },
  {
    what: 'an API key that could not be changed',
    widths: both,
    open: async (page) => {
      await page.route('**/change-api-key', refuse);
      await page.goto('/dashboard/change-api');
      await page.getByRole('button', { name: 'Generate new API key' }).click();
      await expect(errorBox(page)).toBeVisible();
    },
  },
  {
    what: 'an account that could not be deleted',
    widths: both,
    open: async (page) => {
      await page.route('**/api/v3/session/delete-account', refuse);
      await page.goto('/dashboard/delete-account');
      await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
      await page.getByLabel("Type 'delete' to confirm").fill('delete');
      await expect(page.getByRole('button', { name: 'Permanently delete my account' })).toBeEnabled();
      await page.keyboard.press('Enter');
      await expect(errorBox(page)).toBeVisible();
    },
  },
];

for (const { what, widths, open } of states) {
  test(`${what}: accessible and without overflow, light and dark`, async ({ ownersPage: page, problems }) => {
    await page.setViewportSize({ width: widths[0] ?? 1440, height: 900 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page);
    await expectAccessibleAtWidths(page, problems, widths);
  });
}

test('an account without files: accessible and without overflow, light and dark', async ({
  page,
  person,
  problems,
}) => {
  await page.goto('/dashboard/file-management');
  await expect(page.getByText(`Welcome back ${person.email}`)).toBeVisible();
  await expect(page.getByText('No files yet')).toBeVisible();
  await expectAccessibleAtWidths(page, problems, all);
});
