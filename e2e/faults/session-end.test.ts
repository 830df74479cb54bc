import type { Locator, Page } from '@playwright/test';
import { everyCallFromNewAddress } from '../harness/client-address.ts';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import { expect, goodPassword, type Person, test } from '../harness/test.ts';

const ended = 'Your session has ended. Sign in again.';

/** Ends the session as if it had expired or been ended by a new password or another browser. */
async function endSession(page: Page) {
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();
  await page.context().clearCookies();
}

async function expectLedToSignIn(page: Page) {
  await expect(toast(page, ended)).toBeVisible();
  await expect(pageHeading(page)).toHaveText('Sign In');
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(
    page
      .getByRole('status')
      .locator('div')
      .filter({ hasText: /API key/ }),
  ).toHaveCount(0);
  await expect(page.getByText(ended)).toHaveCount(1);
}

async function signInAgain(page: Page, person: Person) {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

test('an ended session leads to sign-in with a message, and then back to the page', async ({
  page,
  context,
  person,
}) => {
  await everyCallFromNewAddress(context);
  await page.goto('/dashboard/file-management?column=size');
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeEnabled();
  await endSession(page);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expectLedToSignIn(page);
  await signInAgain(page, person);
  await expect(page).toHaveURL(/\/dashboard\/file-management\?column=size$/);
});

/** The controls on each screen that call the server, and how to press them. */
const presses: readonly {
  readonly what: string;
  readonly path: string;
  /** Visible once the screen has loaded. */
  readonly control: (page: Page) => Locator;
  readonly press: (page: Page) => Promise<unknown>;
}[] = [
  {
    what: 'a setting',
    path: '/dashboard/general',
    control: (page) => page.getByRole('switch', { name: 'Include Extensions' }),
    press: (page) => page.getByRole('switch', { name: 'Include Extensions' }).click(),
  },
  {
    what: 'a new password',
    path: '/dashboard/security',
    control: (page) => page.getByText('This browser'),
    async press(page) {
      await page.getByLabel('Old password').fill(goodPassword);
      await page.getByLabel('New password').fill('Battery-Staple-8');
      await page.getByRole('button', { name: 'Save & Update' }).click();
    },
  },
  {
    what: 'a new API key',
    path: '/dashboard/change-api',
    control: (page) => page.getByRole('button', { name: 'Generate new API key' }),
    press: (page) => page.getByRole('button', { name: 'Generate new API key' }).click(),
  },
  {
    what: 'the deletion of the account',
    path: '/dashboard/delete-account',
    control: (page) => page.getByRole('main').getByRole('button', { name: 'Delete Account' }),
    // This step counts the files again, and so detects the ended session.
    press: (page) => page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click(),
  },
  {
    what: 'an upload',
    path: '/dashboard',
    control: (page) => page.getByRole('button', { name: 'Upload Files' }),
    async press(page) {
      const file = { name: 'kelp.txt', mimeType: 'text/plain', buffer: Buffer.from('hold fast') };
      await page.getByLabel('Files to upload').setInputFiles(file);
      await page.getByRole('button', { name: 'Upload Files' }).click();
    },
  },
];

for (const { what, path, control, press } of presses) {
  test(`${what} without a session leads to sign-in with a single message`, async ({ signedInPage: page }) => {
    await page.goto(path);
    await expect(control(page)).toBeVisible();
    await endSession(page);
    await press(page);
    await expectLedToSignIn(page);
  });
}

test('settings can be saved after the session ended during two changes', async ({ page, context, person }) => {
  const extensions = page.getByRole('switch', { name: 'Include Extensions' });
  await everyCallFromNewAddress(context);
  await page.goto('/dashboard/general');
  await expect(extensions).toBeChecked();
  await endSession(page);
  const changes = await holdBack(page, '**/set-account-settings');
  await extensions.click();
  await page.getByRole('switch', { name: 'Automatic Timezone' }).click();
  changes.letGo(20);
  await expectLedToSignIn(page);
  await signInAgain(page, person);
  await expect(page).toHaveURL(/\/dashboard\/general$/);
  await extensions.click();
  await expect(toast(page, 'Settings updated successfully')).toBeVisible();
  await page.reload();
  await expect(extensions).not.toBeChecked();
});

test('concurrent calls that find the session ended show one toast', async ({ signedInPage: page }) => {
  const settings = await holdBack(page, '**/get-account-settings');
  const sessions = await holdBack(page, '**/get-sessions');
  await page.goto('/dashboard/settings');
  await expect(pageHeading(page)).toHaveText('Settings');
  await endSession(page);
  settings.letGo();
  sessions.letGo();
  await expectLedToSignIn(page);
});

test('a visitor without a session is redirected to sign-in without a message', async ({ page }) => {
  await page.goto('/dashboard/plan-info');
  await expect(pageHeading(page)).toHaveText('Sign In');
  await expect(page.getByText(ended)).toHaveCount(0);
});

test('logging out after the session has ended shows the usual message', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/account-info');
  await endSession(page);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(toast(page, 'You have been logged out!')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText(ended)).toHaveCount(0);
});
