import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { expect, newEmail, signUpOnce, test } from '../harness/test.ts';

const call = '**/api/v3/session/request-password-reset';
const sent = 'Password reset link sent. Please check your email.';
const email = (page: Page) => page.getByLabel('Email', { exact: true });
const submit = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Forgot Password' });

async function ask(page: Page, address = newEmail()): Promise<string> {
  await page.goto('/forget-password');
  await email(page).fill(address);
  await submit(page).click();
  return address;
}

test('an email is required, and needs the shape of one', async ({ page }) => {
  await page.goto('/forget-password');
  await expect(submit(page)).toBeDisabled();
  await email(page).fill('kelp@');
  await expect(email(page)).toHaveAccessibleDescription('Enter a valid email');
  await expect(submit(page)).toBeDisabled();
  await email(page).fill('');
  await expect(email(page)).toHaveAccessibleDescription('Email is required');
  await email(page).fill('kelp@example.com');
  await expect(email(page)).toHaveAccessibleDescription('');
  await expect(submit(page)).toBeEnabled();
});

test('while it is sent the form rests, and then it says where to look', async ({ page, site, browser }) => {
  const { person } = await signUpOnce(site, browser);
  const sending = await holdBack(page, call);
  await ask(page, person.email);
  await expect(page.getByRole('button', { name: 'Sending Link...' })).toBeDisabled();
  await expect(email(page)).toBeDisabled();
  sending.letGo();
  await expect(toast(page, sent)).toBeVisible();
  await expect(page.getByText(`If ${person.email} has an account`)).toBeVisible();
  await expect(submit(page)).toBeEnabled();
});

test('an address without an account reads the same', async ({ page }) => {
  const address = await ask(page);
  await expect(toast(page, sent)).toBeVisible();
  await expect(page.getByText(`If ${address} has an account`)).toBeVisible();
  await expect(errorBox(page)).toBeHidden();
});

for (const { what, answer, words } of [
  {
    what: 'a refusal is shown in its own words',
    answer: { status: 429, json: { success: false, error: { code: 'TOO_MANY_ATTEMPTS', message: 'Wait a while.' } } },
    words: 'Wait a while.',
  },
  {
    what: 'a refusal without words is a failed reset',
    answer: { status: 400, json: { success: false } },
    words: 'Reset failed',
  },
  {
    what: 'an answer that cannot be read asks to try again',
    answer: { status: 502, body: '<h1>Bad gateway</h1>' },
    words: 'Something went wrong. Try again!',
  },
]) {
  test(what, async ({ page }) => {
    await page.route(call, (route) => route.fulfill(answer));
    const address = await ask(page);
    await expect(errorBox(page)).toHaveText(words);
    await expect(toast(page, words)).toBeVisible();
    await expect(email(page)).toHaveValue(address);
    await expect(submit(page)).toBeEnabled();
  });
}

test('without a bot check it says so and sends nothing', async ({ page }) => {
  let calls = 0;
  page.on('request', (request) => (calls += Number(request.url().endsWith('/request-password-reset'))));
  await page.route('**/captcha-challenge*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await ask(page);
  await expect(errorBox(page)).toHaveText('Bot check not loaded');
  expect(calls).toBe(0);
});

test('it is filled in and sent by keyboard alone', async ({ page }) => {
  await page.goto('/forget-password');
  await email(page).focus();
  await page.keyboard.type(newEmail());
  await page.keyboard.press('Enter');
  await expect(toast(page, sent)).toBeVisible();
});

test('the way back to Sign Up', async ({ page }) => {
  await page.goto('/forget-password');
  await page.getByRole('main').getByRole('link', { name: 'Sign Up' }).click();
  await expect(pageHeading(page)).toHaveText('Sign Up');
});
