import { everyCallFromNewAddress } from '../harness/client-address.ts';
import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import type { Site } from '../harness/site.ts';
import { expect, goodPassword, signUpOnce, test as base } from '../harness/test.ts';

/** `link` is the path of a fresh reset link, and `owner` the email whose password it resets. */
const test = base.extend<{ owner: string; link: string }>({
  owner: async ({ site, browser }, use) => use((await signUpOnce(site, browser)).person.email),
  link: async ({ page, site, owner }, use) => use(await requestLink(page, site, owner)),
});

const call = '**/api/v3/session/reset-password';
const newPassword = 'Battery-Staple-8';
const password = (page: Page) => page.getByLabel('New password', { exact: true });
const confirmation = (page: Page) => page.getByLabel('Confirm password');
const submit = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Reset Password' });
const newLink = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Send a new link' });

async function requestLink(page: Page, site: Site, address: string): Promise<string> {
  await page.goto('/forget-password');
  await page.getByLabel('Email', { exact: true }).fill(address);
  await page.getByRole('main').getByRole('button', { name: 'Forgot Password' }).click();
  await expect(toast(page, 'Password reset link sent. Please check your email.')).toBeVisible();
  return site.newestResetLinkFor(address);
}

async function reset(page: Page, link: string) {
  await page.goto(link);
  await password(page).fill(newPassword);
  await confirmation(page).fill(newPassword);
  await submit(page).click();
}

async function signIn(page: Page, address: string, secret: string) {
  await page.getByLabel('Email', { exact: true }).fill(address);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
}

test('without a key it says what to do', async ({ page }) => {
  for (const path of ['/reset-password', '/reset-password?key=']) {
    await page.goto(path);
    await expect(page.getByText('Follow the link in the newest one, or have another one sent.')).toBeVisible();
    await expect(submit(page)).toBeHidden();
  }
  await newLink(page).click();
  await expect(pageHeading(page)).toHaveText('Forgot Password');
});

test('both passwords are required, the new one is strong, and they match', async ({ page }) => {
  await page.goto('/reset-password?key=kelp');
  await expect(submit(page)).toBeDisabled();
  const messages = {
    short: 'Minimum 8 characters',
    'all-lower-case-7': 'Must include uppercase, lowercase, and a number',
    '': 'Password is required',
  };
  for (const [typed, message] of Object.entries(messages)) {
    await password(page).fill(typed);
    await expect(password(page)).toHaveAccessibleDescription(message);
  }
  await password(page).fill(newPassword);
  await confirmation(page).fill('Battery');
  await expect(confirmation(page)).toHaveAccessibleDescription('Passwords do not match');
  await confirmation(page).fill('');
  await expect(confirmation(page)).toHaveAccessibleDescription('Please confirm your password');
  await expect(submit(page)).toBeDisabled();
  await confirmation(page).fill(newPassword);
  await expect(submit(page)).toBeEnabled();
  await password(page).fill(`${newPassword}9`);
  await expect(confirmation(page)).toHaveAccessibleDescription('Passwords do not match');
  await expect(submit(page)).toBeDisabled();
});

test('each password can be shown and hidden', async ({ page }) => {
  await page.goto('/reset-password?key=kelp');
  for (const field of [password(page), confirmation(page)]) {
    await field.fill(newPassword);
    await page.getByRole('button', { name: 'Show password' }).first().click();
    await expect(field).toHaveAttribute('type', 'text');
  }
  await expect(page.getByRole('button', { name: 'Hide password' })).toHaveCount(2);
});

test('the key leaves the address, a reload keeps it, and no step back shows it', async ({ page }) => {
  await page.goto('/');
  await page.goto('/reset-password?key=k3lp-and_REEF%3D');
  await expect(page).toHaveURL(/\/reset-password$/);
  await expect(password(page)).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL(/\/reset-password$/);
  const asked = page.waitForRequest(call);
  await password(page).fill(newPassword);
  await confirmation(page).fill(newPassword);
  await submit(page).click();
  expect((await asked).postDataJSON()).toEqual({
    reset_key: 'k3lp-and_REEF=',
    password: newPassword,
    password2: newPassword,
  });
  await page.goBack();
  await expect(page).toHaveURL(/:\d+\/$/);
});

test('the link of the email sets the new password, and the old one is refused', async ({ page, link, owner }) => {
  const sending = await holdBack(page, call);
  await reset(page, link);
  await expect(page.getByRole('button', { name: 'Resetting...' })).toBeDisabled();
  await expect(password(page)).toBeDisabled();
  await expect(confirmation(page)).toBeDisabled();
  sending.letGo();
  await expect(toast(page, 'Your password has been successfully reset.')).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(pageHeading(page)).toBeFocused();
  await signIn(page, owner, goodPassword);
  await expect(errorBox(page)).toHaveText('E-Mail or password incorrect.');
  await signIn(page, owner, newPassword);
  await expect(page.getByText(`Welcome back ${owner}`)).toBeVisible();
});

test('a link works once, and the page leads to a new one', async ({ page, context, link }) => {
  await everyCallFromNewAddress(context);
  await reset(page, link);
  await expect(pageHeading(page)).toHaveText('Sign In');
  await page.goBack();
  await expect(pageHeading(page)).toHaveText('Forgot Password');
  await reset(page, link);
  const words = 'This reset link is no longer valid. Request a new one.';
  await expect(errorBox(page)).toHaveText(words);
  await expect(toast(page, words)).toBeVisible();
  await expect(password(page)).toHaveValue(newPassword);
  await newLink(page).click();
  await expect(pageHeading(page)).toHaveText('Forgot Password');
});

test('a failure without words asks to try again', async ({ page }) => {
  await page.route(call, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await reset(page, '/reset-password?key=kelp');
  await expect(errorBox(page)).toHaveText('Something went wrong. Try again!');
  await expect(toast(page, 'Something went wrong. Try again!')).toBeVisible();
});
