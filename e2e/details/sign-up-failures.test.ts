import { errorBox, pageHeading } from '../harness/screen.ts';
import { createAccountCall, fillSignUp, signUpButton } from '../harness/sign-up-screen.ts';
import { expect, newEmail, test } from '../harness/test.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/sign-up');
  await expect(pageHeading(page)).toHaveText('Sign Up');
});

test('an error is shown if the bot check fails to load', async ({ page }) => {
  await page.route('**/assets/solve-captcha*', (route) => route.abort());
  await fillSignUp(page, newEmail());
  await signUpButton(page).click();
  await expect(errorBox(page)).toHaveText('Bot check not loaded');
});

test('a 429 in HTML from a proxy shows a readable message', async ({ page }) => {
  await page.route(createAccountCall, (route) =>
    route.fulfill({ status: 429, contentType: 'text/html', body: '<h1>429</h1>' }),
  );
  await fillSignUp(page, newEmail());
  await signUpButton(page).click();
  await expect(errorBox(page)).toHaveText('Too many requests. Wait a moment and try again.');
});
