import type { Page } from '@playwright/test';
import { holdBack, holdBackAnswers } from '../harness/hold-back.ts';
import { outlastRetries } from '../harness/outlast-retries.ts';
import { grant, subscribe } from '../harness/past-events.ts';
import { tellOfAnotherSession } from '../harness/second-tab.ts';
import { errorBox, pageHeading, toast } from '../harness/screen.ts';
import { expect, goodPassword, test, uploadByKey } from '../harness/test.ts';

const call = '**/api/v3/session/delete-account';
const accountCall = '**/get-account-info';
const begin = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Delete Account' });
const word = (page: Page) => page.getByLabel("Type 'delete' to confirm");
const confirm = (page: Page) => page.getByRole('button', { name: 'Permanently delete my account' });
const goodbye = (email: string) => `Account ${email} deleted successfully. You will be logged out.`;

async function ask(page: Page) {
  await page.goto('/dashboard/delete-account');
  await begin(page).click();
}

test('the first click asks, and nothing else', async ({ signedInPage: page, regular }) => {
  await page.goto('/dashboard/delete-account');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Permanently delete your account and data?');
  await expect(word(page)).toBeHidden();
  await begin(page).click();
  await expect(word(page)).toBeFocused();
  await expect(page.getByText(`This deletes ${regular.email} at once:`)).toBeVisible();
});

test('the warning counts what is lost', async ({ page, person, site }) => {
  await ask(page);
  await expect(page.getByText('no files')).toBeVisible();
  await uploadByKey(site, person, 'kelp.txt', 'a'.repeat(1500));
  await uploadByKey(site, person, 'reef.txt', 'b'.repeat(1000));
  await ask(page);
  await expect(page.getByText('2 files, 2.50 KB in all, and every link to them')).toBeVisible();
  await expect(page.getByText('subscription')).toBeHidden();
  grant(site, person, 'power');
  await ask(page);
  await expect(page.getByText('the Power plan, given to you by the operator of this site')).toBeVisible();
});

test('the figures are asked for when the question opens, and nothing is deleted before they are there', async ({
  page,
  person,
  site,
}) => {
  await page.goto('/dashboard/delete-account');
  await expect(begin(page)).toBeVisible();
  for (const name of ['kelp.txt', 'reef.txt', 'wrack.txt']) await uploadByKey(site, person, name);
  const deletions: string[] = [];
  page.on('request', (request) => request.method() === 'DELETE' && deletions.push(request.url()));
  const counting = await holdBack(page, accountCall);
  await begin(page).click();
  await expect(page.getByText('Counting your files...')).toBeVisible();
  await expect(confirm(page)).toBeDisabled();
  await word(page).fill('delete');
  await word(page).press('Enter');
  counting.letGo();
  await expect(page.getByText('3 files, 25.00 B in all, and every link to them')).toBeVisible();
  await expect(confirm(page)).toBeEnabled();
  await expect(word(page)).toHaveValue('delete');
  expect(deletions).toEqual([]);
});

test('an answer of before that comes late is not taken for the figures', async ({ page, person, site }) => {
  await page.goto('/dashboard/delete-account');
  await expect(begin(page)).toBeVisible();
  const answers = await holdBackAnswers(page, '*/get-account-info');
  const asked = page.waitForRequest(accountCall);
  await tellOfAnotherSession(page);
  await asked;
  for (const name of ['kelp.txt', 'reef.txt']) await uploadByKey(site, person, name);
  await begin(page).click();
  answers.letGo();
  await expect(confirm(page)).toBeDisabled();
  answers.letGo(20);
  await expect(page.getByText('2 files, 16.00 B in all, and every link to them')).toBeVisible();
  await expect(confirm(page)).toBeEnabled();
});

test('without the figures the account cannot be deleted, and they can be asked for again', async ({
  signedInPage: page,
}) => {
  await page.clock.install();
  await page.goto('/dashboard/delete-account');
  await expect(begin(page)).toBeVisible();
  await page.route(accountCall, (route) => route.abort());
  await begin(page).click();
  await outlastRetries(page, accountCall);
  await expect(errorBox(page)).toContainText('Your files could not be counted');
  await expect(confirm(page)).toBeDisabled();
  await page.unroute(accountCall);
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(confirm(page)).toBeEnabled();
  await expect(errorBox(page)).toBeHidden();
  await expect(word(page)).toBeFocused();
});

test('the warning names the subscription that ends, also one that is not paid', async ({ page, person, site }) => {
  const words = page.getByText('the Basic subscription, without a refund for the remaining time');
  subscribe(site, person, {
    level: 'Basic',
    period: 'monthly',
    status: 'past_due',
    period_ends: '2036-01-01T00:00:00Z',
    ends_with_period: false,
    grace_ends: '2026-01-01T00:00:00Z',
  });
  await ask(page);
  await expect(words).toBeVisible();
  site.putOnPlan(person.email, 'free');
  await ask(page);
  await expect(words).toBeVisible();
});

test('another word than delete is refused, and nothing is sent', async ({ signedInPage: page }) => {
  let calls = 0;
  page.on(
    'request',
    (request) => (calls += Number(request.url().endsWith('/delete-account') && request.method() === 'DELETE')),
  );
  await ask(page);
  for (const typed of ['', 'remove', 'delete it']) {
    await word(page).fill(typed);
    await confirm(page).click();
    await expect(word(page)).toHaveAccessibleDescription("Please type 'delete' to confirm");
    await expect(word(page)).toBeFocused();
  }
  await word(page).fill('delete');
  await expect(word(page)).toHaveAccessibleDescription('');
  expect(calls).toBe(0);
});

test('the dialog can be canceled, also by keyboard', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/delete-account');
  await begin(page).press('Enter');
  await expect(word(page)).toBeFocused();
  await page.keyboard.type('delete');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(word(page)).toBeHidden();
  await expect(begin(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(word(page)).toHaveValue('');
});

test('the account is gone, its links too, and the visitor is home a second later', async ({ page, person, site }) => {
  const link = await uploadByKey(site, person, 'kelp.txt');
  expect((await fetch(link)).status).toBe(200);
  const deleting = await holdBack(page, call);
  await ask(page);
  await word(page).fill('DELETE');
  await page.clock.install();
  await confirm(page).click();
  await expect(page.getByRole('button', { name: 'Deleting...' })).toBeDisabled();
  await expect(word(page)).toBeDisabled();
  deleting.letGo();
  await expect(toast(page, goodbye(person.email))).toBeVisible();
  await expect(word(page)).toBeHidden();
  await expect(begin(page)).toBeDisabled();
  await page.clock.runFor(500);
  await expect(page).toHaveURL(/\/dashboard\/delete-account$/);
  await page.clock.runFor(500);
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
  // Two steps: a toast of the usual length would start to fade in the first and be gone after the second.
  await page.clock.runFor(2000);
  await page.clock.runFor(1400);
  await expect(toast(page, goodbye(person.email))).toBeVisible();
  await page.clock.runFor(2000);
  await expect(toast(page, goodbye(person.email))).toBeHidden();

  expect((await fetch(link)).status).toBe(404);
  await page.goto('/sign-in');
  await page.getByLabel('Email', { exact: true }).fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  await expect(errorBox(page)).toHaveText('E-Mail or password incorrect.');
});

test('nothing of the account is left in the browser', async ({ page, person, site }) => {
  await uploadByKey(site, person, 'kelp.txt');
  await page.goto('/dashboard/file-management');
  await expect(page.getByText('kelp.txt').first()).toBeVisible();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Delete Account' }).click();
  await begin(page).click();
  await word(page).fill('delete');
  await expect(confirm(page)).toBeEnabled();
  await word(page).press('Enter');
  await expect(page).toHaveURL(/:\d+\/$/);
  await page.goBack();
  await expect(pageHeading(page)).toHaveText('Sign In');
  await expect(page.getByText(person.email)).toBeHidden();
});

for (const { what, answer, words } of [
  {
    what: 'a refusal is shown in its own words',
    answer: { status: 503, json: { success: false, error: { code: 'UNAVAILABLE', message: 'Not today.' } } },
    words: 'Not today.',
  },
  {
    what: 'a failure without words says that the account is still there',
    answer: { status: 502, body: 'Bad gateway' },
    words: 'Failed to delete account',
  },
]) {
  test(`${what}, and can be tried again`, async ({ signedInPage: page }) => {
    await page.route(call, (route) => route.fulfill(answer));
    await ask(page);
    await word(page).fill('Delete');
    await confirm(page).click();
    await expect(toast(page, words)).toBeVisible();
    await expect(errorBox(page)).toHaveText('Failed to delete account. Please try again.');
    await expect(word(page)).toHaveValue('Delete');
    await expect(confirm(page)).toBeEnabled();
  });
}
