import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { expect, goodPassword, newEmail, test } from '../harness/test.ts';

const code = (page: Page) => page.getByLabel('Verification code');
const verify = (page: Page) => page.getByRole('button', { name: 'Verify' });
const resend = (page: Page) => page.getByRole('button', { name: 'Re-send code' });
const wait = (page: Page) => page.getByText(/^Wait \d:\d\d to re-send again\.$/);

/** The page continues from sign-up: it knows the email only by that route. */
async function signUp(page: Page): Promise<string> {
  const address = newEmail();
  await page.goto('/sign-up');
  await page.getByLabel('Email', { exact: true }).fill(address);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByLabel('Confirm password').fill(goodPassword);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(pageHeading(page)).toHaveText('Verify Email');
  return address;
}

const anotherThan = (right: string) => right.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));

test('it names the address that the code went to, also after a reload', async ({ page }) => {
  const address = await signUp(page);
  await expect(page.getByText(address)).toBeVisible();
  await page.reload();
  await expect(page.getByText(address)).toBeVisible();
});

test('the code is typed without a click, and each digit stands in a box of its own', async ({ page }) => {
  await page.goto('/verify-code');
  await expect(code(page)).toBeFocused();
  await page.keyboard.type('123456');
  await expect(code(page)).toHaveValue('123456');
  for (const digit of '123456') await expect(page.getByText(digit, { exact: true })).toBeVisible();
});

test('six digits are asked for, and nothing but digits is taken', async ({ page }) => {
  await page.goto('/verify-code');
  await expect(verify(page)).toBeDisabled();
  await code(page).pressSequentially('12a3');
  await expect(code(page)).toHaveValue('123');
  await expect(code(page)).toHaveAccessibleDescription('OTP must be 6 digits');
  await expect(verify(page)).toBeDisabled();
  await code(page).fill('');
  await expect(code(page)).toHaveAccessibleDescription('OTP is required');
  await code(page).fill('123456');
  await expect(verify(page)).toBeEnabled();
});

test('a code is pasted as an email or a message formats it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/verify-code');
  await page.evaluate(() => navigator.clipboard.writeText('Your code: 314 159'));
  await code(page).press('ControlOrMeta+v');
  await expect(code(page)).toHaveValue('314159');
});

test('the right code leads to sign-in', async ({ page, site }) => {
  const address = await signUp(page);
  const sending = await holdBack(page, '**/api/v3/session/verify-email');
  await code(page).fill(await site.newestCodeFor(address));
  await verify(page).click();
  await expect(page.getByRole('button', { name: 'Verify', disabled: true })).toHaveAttribute('aria-busy', 'true');
  await expect(code(page)).toBeDisabled();
  sending.letGo();
  await expect(toast(page, 'Code verified')).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in$/);
});

test('a wrong code is said to be wrong, and the boxes are ready for the next', async ({ page, site }) => {
  const address = await signUp(page);
  const right = await site.newestCodeFor(address);
  await code(page).fill(anotherThan(right));
  await verify(page).click();
  const words = 'That code is wrong or has expired. Use the one in the newest email, or request another.';
  await expect(errorBox(page)).toHaveText(words);
  await expect(toast(page, words)).toBeVisible();
  await expect(code(page)).toHaveValue('');
  await expect(code(page)).toBeFocused();
  await page.keyboard.type(right);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/sign-in$/);
});

test('a right code is still there after a lost connection', async ({ page, site }) => {
  const call = '**/api/v3/session/verify-email';
  const address = await signUp(page);
  const right = await site.newestCodeFor(address);
  await page.route(call, (route) => route.abort());
  await code(page).fill(right);
  await verify(page).click();
  await expect(errorBox(page)).toBeVisible();
  await expect(code(page)).toHaveValue(right);
  await page.unroute(call);
  await verify(page).click();
  await expect(page).toHaveURL(/\/sign-in$/);
});

test('a failure without words of its own has words', async ({ page }) => {
  await page.route('**/api/v3/session/verify-email', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await page.goto('/verify-code');
  await code(page).fill('123456');
  await verify(page).click();
  await expect(errorBox(page)).toHaveText('Something went wrong, try again later!!');
});

test('another code can be asked for after two minutes, which are counted down', async ({ page, site }) => {
  await page.clock.install();
  const address = await signUp(page);
  const first = await site.newestCodeFor(address);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  await expect(resend(page)).toBeDisabled();
  await expect(wait(page)).toHaveText(/^Wait 1:5\d/);
  await page.clock.runFor('01:00');
  await expect(wait(page)).toHaveText(/^Wait 0:5\d/);
  await page.clock.runFor('01:00');
  await expect(wait(page)).toBeHidden();
  await expect(resend(page)).toBeEnabled();

  site.ageCodes(120);
  await resend(page).click();
  await expect(toast(page, 'Verification code re-sent.')).toBeVisible();
  await expect(wait(page)).toHaveText('Wait 2:00 to re-send again.');
  await expect(resend(page)).toBeDisabled();
  expect(await site.newestCodeFor(address)).not.toBe(first);
});

test('while a code is on its way no other can be asked for', async ({ page, site }) => {
  await page.clock.install();
  await signUp(page);
  await page.clock.fastForward('02:00');
  site.ageCodes(120);
  const sending = await holdBack(page, '**/api/v3/session/verify-email');
  await resend(page).click();
  await expect(wait(page)).toBeHidden();
  await expect(resend(page)).toBeDisabled();
  sending.letGo();
  await expect(wait(page)).toBeVisible();
});

test('a server that wants more patience sets the countdown', async ({ page }) => {
  await page.clock.install();
  await signUp(page);
  await page.clock.fastForward('02:00');
  await resend(page).click();
  await expect(toast(page, "Couldn't resend code. Try again later.")).toBeVisible();
  await expect(wait(page)).toBeVisible();
  await expect(resend(page)).toBeDisabled();
});

test('without an address it says where to start', async ({ page }) => {
  await page.goto('/verify-code');
  await expect(wait(page)).toBeHidden();
  await resend(page).click();
  await expect(toast(page, 'Email is missing. Go back and start from sign-in.')).toBeVisible();
});

test('a reload does not start the two minutes anew', async ({ page }) => {
  await page.clock.install();
  await signUp(page);
  await page.clock.fastForward('01:30');
  await page.reload();
  await expect(wait(page)).toHaveText(/^Wait 0:[0-3]\d/);
});
