import { emailField, passwordField } from '../harness/credentials.ts';
import { errorBox, pageHeading } from '../harness/screen.ts';
import { loginCall, signIn, signInButton } from '../harness/sign-in.ts';
import { test } from '../harness/stranger.ts';
import { expect, goodPassword } from '../harness/test.ts';

test('a rate-limited sign-in is retried automatically', async ({ page, stranger }) => {
  for (const path of ['**/api/v3/session/captcha-challenge*', loginCall]) {
    const error = { code: 'RATE_LIMITED', message: 'Too many requests. Slow down and try again.' };
    const headers = { 'Retry-After': '1' };
    await page.route(path, (route) => route.fulfill({ status: 429, headers, json: { success: false, error } }), {
      times: 1,
    });
  }
  await page.goto('/sign-in');
  await signIn(page, stranger);
  await expect(pageHeading(page)).toHaveText('Upload Files');
});

test('a sign-in without a connection shows a connection error', async ({ page, context }) => {
  await page.goto('/sign-in');
  await emailField(page).fill('kelp@example.com');
  await passwordField(page).fill(goodPassword);
  await context.setOffline(true);
  await signInButton(page).click();
  await expect(errorBox(page)).toHaveText('No response from server. Please check your connection.');
});
