import { holdBack } from '../harness/hold-back.ts';
import { checkingSession, pageHeading } from '../harness/screen.ts';
import { signIn } from '../harness/sign-in.ts';
import { test } from '../harness/stranger.ts';
import { expect } from '../harness/test.ts';

const sessionCheck = '**/api/v3/rest/get-account-info';

test('Back from the dashboard skips the sign-in page', async ({ page, stranger }) => {
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await expect(pageHeading(page)).toHaveText('Sign In');
  await signIn(page, stranger);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

for (const path of ['/sign-up', '/sign-in', '/forget-password', '/verify-code', '/reset-password']) {
  test(`a signed-in user is redirected from ${path} to the dashboard`, async ({ signedInPage: page }) => {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(pageHeading(page)).toHaveText('Upload Files');
  });
}

test('the page shows a message while the session is being checked', async ({ signedInPage: page }) => {
  const checking = await holdBack(page, sessionCheck);
  await page.goto('/dashboard');
  await expect(checkingSession(page)).toBeVisible();
  checking.letGo();
  await expect(pageHeading(page)).toHaveText('Upload Files');
  await expect(checkingSession(page)).toBeHidden();
});

test('a session check that fails counts as signed out', async ({ signedInPage: page }) => {
  await page.route(sessionCheck, (route) => route.fulfill({ status: 403, json: { success: false } }));
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(pageHeading(page)).toHaveText('Sign In');
});
