/** What every field for a password has in common: it is masked, takes pasted text and is known to password managers. */
import type { Locator, Page } from '@playwright/test';
import { generateKey } from '../harness/change-api-screen.ts';
import { ageConfirmation, confirmedPasswordField } from '../harness/confirm-password-dialog.ts';
import { confirmationField, newPasswordField, passwordField } from '../harness/credentials.ts';
import { oldPasswordField } from '../harness/security-screen.ts';
import { expect, test } from '../harness/test.ts';

type Purpose = 'current-password' | 'new-password';

async function expectPasswordField(page: Page, field: Locator, purpose: Purpose): Promise<void> {
  await expect(field).toHaveAttribute('type', 'password');
  await expect(field).toHaveAttribute('autocomplete', purpose);
  await page.context().grantPermissions(['clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
  await field.focus();
  await page.keyboard.press('ControlOrMeta+V');
  await expect(field).toHaveValue(pasted);
}

const pasted = 'from a password manager';

const guestScreens: Readonly<Record<string, readonly (readonly [(page: Page) => Locator, Purpose])[]>> = {
  '/sign-in': [[passwordField, 'current-password']],
  '/sign-up': [
    [passwordField, 'new-password'],
    [confirmationField, 'new-password'],
  ],
  '/reset-password#key=kelp': [
    [newPasswordField, 'new-password'],
    [confirmationField, 'new-password'],
  ],
};

test('passwords of visitors are masked, can be pasted and are known to password managers', async ({ page }) => {
  for (const [path, fields] of Object.entries(guestScreens)) {
    await page.goto(path);
    for (const [field, purpose] of fields) await expectPasswordField(page, field(page), purpose);
  }
});

test('passwords of users are masked, can be pasted and are known to password managers', async ({
  page,
  person,
  site,
}) => {
  await page.goto('/dashboard/security');
  await expectPasswordField(page, oldPasswordField(page), 'current-password');
  await expectPasswordField(page, newPasswordField(page), 'new-password');
  ageConfirmation(site, person);
  await page.goto('/dashboard/change-api');
  await generateKey(page).click();
  await expectPasswordField(page, confirmedPasswordField(page), 'current-password');
});
