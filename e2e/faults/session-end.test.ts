import type { Page } from '@playwright/test';
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
