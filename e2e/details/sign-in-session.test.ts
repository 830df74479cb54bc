import { pageHeading } from '../harness/screen.ts';
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

test('a session check that fails counts as signed out', async ({ signedInPage: page }) => {
  await page.route(sessionCheck, (route) => route.fulfill({ status: 403, json: { success: false } }));
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(pageHeading(page)).toHaveText('Sign In');
});
