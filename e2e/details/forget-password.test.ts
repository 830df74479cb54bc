import { emailField } from '../harness/credentials.ts';
import {
  askForLink,
  forgotPasswordButton,
  requestResetCall,
  resetLinkSent,
} from '../harness/forget-password-screen.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { expect, newEmail, test } from '../harness/test.ts';

for (const { what, answer, words } of [
  {
    what: "the server's error message is shown",
    answer: { status: 429, json: { success: false, error: { code: 'TOO_MANY_ATTEMPTS', message: 'Wait a while.' } } },
    words: 'Wait a while.',
  },
  {
    what: "a refusal without a message shows 'Reset failed'",
    answer: { status: 400, json: { success: false } },
    words: 'Reset failed',
  },
  {
    what: 'an unreadable response shows a default message',
    answer: { status: 502, body: '<h1>Bad gateway</h1>' },
    words: 'Something went wrong. Try again!',
  },
]) {
  test(what, async ({ page }) => {
    await page.route(requestResetCall, (route) => route.fulfill(answer));
    const address = await askForLink(page);
    await expect(errorBox(page)).toHaveText(words);
    await expect(toast(page, words)).toBeVisible();
    await expect(emailField(page)).toHaveValue(address);
    await expect(forgotPasswordButton(page)).toBeEnabled();
  });
}

test('an error is shown and no request is sent if the bot check fails to load', async ({ page }) => {
  let calls = 0;
  page.on('request', (request) => (calls += Number(request.url().endsWith('/request-password-reset'))));
  await page.route('**/captcha-challenge*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await askForLink(page);
  await expect(errorBox(page)).toHaveText('Bot check not loaded');
  expect(calls).toBe(0);
});

test('the form can be filled in and sent by keyboard alone', async ({ page }) => {
  await page.goto('/forget-password');
  await emailField(page).focus();
  await page.keyboard.type(newEmail());
  await page.keyboard.press('Enter');
  await expect(toast(page, resetLinkSent)).toBeVisible();
});

test('the page links to Sign Up', async ({ page }) => {
  await page.goto('/forget-password');
  await page.getByRole('main').getByRole('link', { name: 'Sign Up' }).click();
  await expect(pageHeading(page)).toHaveText('Sign Up');
});
