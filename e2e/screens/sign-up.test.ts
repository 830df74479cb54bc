import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { expect, goodPassword, newEmail, signUpAndIn, test } from '../harness/test.ts';

const call = '**/api/v3/session/create-account';
const email = (page: Page) => page.getByLabel('Email', { exact: true });
const password = (page: Page) => page.getByLabel('Password', { exact: true });
const confirmation = (page: Page) => page.getByLabel('Confirm password', { exact: true });
const submit = (page: Page) => page.getByRole('button', { name: 'Sign Up' });

test.beforeEach(async ({ page }) => {
  await page.goto('/sign-up');
  await expect(pageHeading(page)).toHaveText('Sign Up');
});

async function fillIn(page: Page, address: string) {
  await email(page).fill(address);
  await password(page).fill(goodPassword);
  await confirmation(page).fill(goodPassword);
}

test('the email is required, needs the shape of one, and must not have a plus sign', async ({ page }) => {
  await email(page).fill('kelp');
  await expect(email(page)).toHaveAccessibleDescription('Enter a valid email address');
  await email(page).fill('');
  await expect(email(page)).toHaveAccessibleDescription('Email is required');
  await email(page).fill('kelp+forest@example.com');
  await expect(email(page)).toHaveAccessibleDescription("Address must not contain a '+'.");
  await email(page).fill('kelp@example.com');
  await expect(email(page)).toHaveAccessibleDescription('');
});

test('a password has 8 characters, with lowercase, uppercase and a number', async ({ page }) => {
  await password(page).fill('Kelp-7');
  await expect(password(page)).toHaveAccessibleDescription('Minimum 8 characters');
  for (const weak of ['kelp-forest-7', 'KELP-FOREST-7', 'Kelp-Forest']) {
    await password(page).fill(weak);
    await expect(password(page)).toHaveAccessibleDescription('Must include uppercase, lowercase, and a number');
  }
  await password(page).fill('');
  await expect(password(page)).toHaveAccessibleDescription('Password is required');
});

test('the confirmation is required and equals the password, whichever of the two changes', async ({ page }) => {
  await password(page).fill(goodPassword);
  await confirmation(page).fill('Another-Horse-7');
  await expect(confirmation(page)).toHaveAccessibleDescription('Passwords do not match');
  await password(page).fill('Another-Horse-7');
  await expect(confirmation(page)).toHaveAccessibleDescription('');
  await confirmation(page).fill('');
  await expect(confirmation(page)).toHaveAccessibleDescription('Please confirm your password');
});

test('the form can be sent only while it is valid', async ({ page }) => {
  await expect(submit(page)).toBeDisabled();
  await fillIn(page, 'kelp@example.com');
  await expect(submit(page)).toBeEnabled();
  await email(page).fill('kelp');
  await expect(submit(page)).toBeDisabled();
});

test('each password can be shown and hidden on its own', async ({ page }) => {
  await fillIn(page, 'kelp@example.com');
  await page.getByRole('button', { name: 'Show password' }).first().click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await expect(confirmation(page)).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(confirmation(page)).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).first().click();
  await expect(password(page)).toHaveAttribute('type', 'password');
});

test('while it is sent the whole form rests', async ({ page }) => {
  const sending = await holdBack(page, call);
  await fillIn(page, newEmail());
  await submit(page).click();
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled();
  await expect(email(page)).toBeDisabled();
  await expect(password(page)).toBeDisabled();
  await expect(confirmation(page)).toBeDisabled();
  sending.letGo();
  await expect(page).toHaveURL(/\/verify-code$/);
});

test('the default bot check asks the person nothing', async ({ page }) => {
  const address = newEmail();
  const sent = page.waitForRequest(call);
  await fillIn(page, address);
  await submit(page).click();
  const { captcha_token: token } = (await sent).postDataJSON() as { captcha_token: string };
  expect(token).not.toBe('');
  await expect(toast(page, 'Signup successful! Check your email to verify.')).toBeVisible();
  await expect(page).toHaveURL(/\/verify-code$/);
  await expect(page.getByText(address)).toBeVisible();
});

test('a bot check that cannot be loaded says so', async ({ page }) => {
  await page.route('**/assets/solve-captcha*', (route) => route.abort());
  await fillIn(page, newEmail());
  await submit(page).click();
  await expect(errorBox(page)).toHaveText('Bot check not loaded');
});

test('an address that has an account is refused beside the form and in a toast', async ({ page, site, browser }) => {
  const elsewhere = await browser.newContext();
  const { email: taken } = await signUpAndIn(site, elsewhere);
  await elsewhere.close();
  await fillIn(page, taken);
  await submit(page).click();
  const words = 'An account with this email already exists. Sign in instead.';
  await expect(errorBox(page)).toHaveText(words);
  await expect(toast(page, words)).toBeVisible();
  await expect(submit(page)).toBeEnabled();
  await expect(email(page)).toHaveValue(taken);
});

test('without a connection it says that nothing answered', async ({ page, context }) => {
  await fillIn(page, newEmail());
  await context.setOffline(true);
  await submit(page).click();
  const words = 'No response from server. Please check your connection.';
  await expect(errorBox(page)).toHaveText(words);
  await expect(toast(page, words)).toBeVisible();
});

test('a refusal without a reason shows a default message', async ({ page }) => {
  await page.route(call, (route) => route.fulfill({ status: 400, json: { success: false } }));
  await fillIn(page, newEmail());
  await submit(page).click();
  await expect(errorBox(page)).toHaveText('Signup failed. Please try again.');
});

test('too many requests, said by something in front of the server, reads well', async ({ page }) => {
  await page.route(call, (route) => route.fulfill({ status: 429, contentType: 'text/html', body: '<h1>429</h1>' }));
  await fillIn(page, newEmail());
  await submit(page).click();
  await expect(errorBox(page)).toHaveText('Too many requests. Wait a moment and try again.');
});

test('the page links to sign-in', async ({ page }) => {
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
});
