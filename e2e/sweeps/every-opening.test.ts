import type { Page } from '@playwright/test';
import { expect, expectAccessibleAtWidths, test } from '../harness/healthy-page.ts';

const desk = [1440] as const;
const phone = [390, 768] as const;
const sessionsShown = (page: Page) => page.getByText('This browser').waitFor();

/** Everything that opens over a page or replaces it, and the steps to open it. */
const openings: readonly {
  readonly what: string;
  readonly widths: readonly number[];
  readonly open: (page: Page) => Promise<void>;
}[] = [
  {
    what: 'the sidebar of a phone, with its settings open',
    widths: phone,
    open: async (page) => {
      await page.goto('/dashboard/account-info');
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await page.getByRole('button', { name: 'Settings' }).click();
      await expect(page.getByRole('link', { name: 'Delete Account' })).toBeVisible();
    },
  },
  {
    what: 'every answer of the FAQs',
    widths: phone,
    open: async (page) => {
      await page.goto('/faqs');
      await page.getByRole('button', { name: 'Open all answers' }).click();
      await expect(page.getByRole('table')).toBeVisible();
    },
  },
  {
    what: 'a preview, selected files and a toast',
    widths: desk,
    open: async (page) => {
      await page.goto('/dashboard/file-management');
      await page.getByRole('checkbox', { name: 'Select kelp.txt' }).check();
      await page.getByRole('button', { name: 'Copy link of kelp.txt' }).click();
      await page.getByRole('link', { name: 'kelp.txt' }).hover();
      await expect(page.getByText('Preview unavailable for this file type')).toBeVisible();
    },
  },
  {
    what: 'the bar of selected files, with the forms of their links',
    widths: phone,
    open: async (page) => {
      await page.goto('/dashboard/file-management');
      await page.getByRole('checkbox', { name: 'Select kelp.txt' }).check();
      await page.getByRole('button', { name: 'Copy links' }).click();
      await expect(page.getByRole('button', { name: 'Markdown' })).toBeVisible();
    },
  },
  {
    what: 'the menu of a file',
    widths: [...desk, ...phone],
    open: async (page) => {
      await page.goto('/dashboard/file-management');
      await page.getByRole('button', { name: 'More for kelp.txt' }).click();
      await expect(page.getByRole('menuitem', { name: 'Details' })).toBeVisible();
    },
  },
  {
    what: 'the page of a file',
    widths: [...desk, ...phone],
    open: async (page) => {
      await page.goto('/dashboard/file-management');
      await page.getByRole('button', { name: 'More for reef.png' }).click();
      await page.getByRole('menuitem', { name: 'Details' }).click();
      await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
    },
  },
  {
    what: 'an upload queue with a warning, a refusal, a link and an open menu',
    widths: phone,
    open: async (page) => {
      await page.goto('/dashboard');
      const choose = (name: string) =>
        page
          .getByLabel('Files to upload')
          .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('hold fast') });
      await choose('setup.exe');
      await choose('raft.txt');
      await page.getByRole('button', { name: 'Upload Files' }).click();
      await expect(page.getByRole('button', { name: 'Copy link of raft.txt' })).toBeVisible();
      await choose('another.exe');
      await page.getByRole('button', { name: 'Copy all links' }).click();
      await expect(page.getByRole('button', { name: 'Markdown' })).toBeVisible();
    },
  },
  {
    what: 'a new password that was refused',
    widths: phone,
    open: async (page) => {
      await page.goto('/dashboard/security');
      await page.getByLabel('Old password').fill('Wrong-Horse-7');
      await page.getByLabel('New password').fill('Battery-Staple-8');
      await page.getByRole('button', { name: 'Save & Update' }).click();
      await expect(page.getByRole('alert')).toHaveText('That old password is incorrect.');
      await sessionsShown(page);
    },
  },
  {
    what: 'the last confirmation before an account is deleted',
    widths: phone,
    open: async (page) => {
      await page.goto('/dashboard/delete-account');
      await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click();
      await page.getByRole('button', { name: 'Permanently delete my account' }).click();
      await expect(page.getByText("Please type 'delete' to confirm")).toBeVisible();
    },
  },
  {
    what: 'the confirmation of Continuous Uploading',
    widths: [...desk, ...phone],
    open: async (page) => {
      await page.goto('/dashboard/general');
      await page.getByRole('switch', { name: 'Continuous Uploading' }).click();
      await expect(page.getByText('No other files could be deleted')).toBeVisible();
    },
  },
  {
    what: 'the list of time zones',
    widths: phone,
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
    what: 'a form with error messages',
    widths: phone,
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

for (const { what, widths, open } of openings) {
  test(`${what}: accessible and without overflow, light and dark`, async ({ ownersPage: page, problems }) => {
    await page.setViewportSize({ width: widths[0] ?? 1440, height: 900 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page);
    await expectAccessibleAtWidths(page, problems, widths);
  });
}
