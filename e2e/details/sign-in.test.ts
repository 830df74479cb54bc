import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { signIn, signInButton } from '../harness/sign-in.ts';
import { spoilCall } from '../harness/spoil-call.ts';
import { test } from '../harness/stranger.ts';
import { expect } from '../harness/test.ts';

test('Back from the dashboard skips the sign-in page', async ({ page, stranger }) => {
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await expect(pageHeading(page)).toHaveText('Sign In');
  await signIn(page, stranger);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

test('an error is shown if the bot check or the server cannot be reached', async ({ page, context, stranger }) => {
  const check = await spoilCall(page, '**/assets/solve-captcha*', (route) => route.abort());
  await page.goto('/sign-in');
  await signIn(page, stranger);
  await expect(errorBox(page)).toHaveText('Bot check not loaded');
  check.mend();
  await context.setOffline(true);
  await signInButton(page).click();
  await expect(errorBox(page)).toHaveText('No response from server. Please check your connection.');
});

test('a success replaces the errors of its form', async ({ page, stranger }) => {
  await page.goto('/sign-in');
  await signIn(page, stranger, 'Wrong-Horse-7');
  await expect(toast(page, 'E-Mail or password incorrect.')).toBeVisible();
  await signIn(page, stranger);
  await expect(toast(page, 'Login successful!')).toBeVisible();
  await expect(toast(page, 'E-Mail or password incorrect.')).toBeHidden({ timeout: 1 });
});
