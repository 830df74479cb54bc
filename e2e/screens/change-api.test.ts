import type { Page } from '@playwright/test';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading, toast } from '../harness/screen.ts';
import type { Site } from '../harness/site.ts';
import { expect, test } from '../harness/test.ts';

const call = '**/api/v3/session/change-api-key';
const generate = (page: Page) => page.getByRole('button', { name: 'Generate new API key' });
const newKey = (page: Page) => page.getByRole('region', { name: 'Your new API key' }).getByRole('code');

async function answersTo(site: Site, key: string | null): Promise<number> {
  const { status } = await fetch(`${site.url}/api/v3/rest/get-account-info`, { headers: { 'X-API-Key': key ?? '' } });
  return status;
}

test('it says what stops working before anything happens', async ({ page, person, site }) => {
  await page.goto('/dashboard/change-api');
  await expect(page.getByText('The key you have now stops working at once.')).toBeVisible();
  await expect(newKey(page)).toBeHidden();
  expect(await answersTo(site, person.apiKey)).toBe(200);
});

test('the new key is shown, and from then on the old one is refused', async ({ page, person, site }) => {
  const generating = await holdBack(page, call);
  await page.goto('/dashboard/change-api');
  await generate(page).click();
  await expect(page.getByRole('button', { name: 'Generating new API key...' })).toBeDisabled();
  generating.letGo();
  await expect(toast(page, 'API key changed successfully!')).toBeVisible();
  await expect(newKey(page)).toHaveText(/^hf_\w{46}$/);
  await expect(page.getByRole('heading', { name: 'Your new API key' })).toBeFocused();
  expect(await answersTo(site, await newKey(page).textContent())).toBe(200);
  expect(await answersTo(site, person.apiKey)).toBe(401);
});

test('the new key can be copied, by keyboard too', async ({ page, person, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/dashboard/change-api');
  await generate(page).press('Enter');
  await expect(page.getByRole('heading', { name: 'Your new API key' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Copy API key' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await newKey(page).textContent());
  expect(copied).not.toBe(person.apiKey);
});

test('Account Info has the new key, without a reload', async ({ page, person }) => {
  await page.goto('/dashboard/change-api');
  await generate(page).click();
  const key = (await newKey(page).textContent()) ?? '';
  await page.getByRole('main').getByRole('link', { name: 'Account Info' }).click();
  await page.getByRole('button', { name: 'Copy API key' }).hover();
  await expect(page.getByText(key)).toBeVisible();
  await expect(page.getByText(person.apiKey)).toBeHidden();
});

test('returning to the page asks for confirmation again', async ({ page, person }) => {
  await page.goto('/dashboard/change-api');
  await generate(page).click();
  await expect(newKey(page)).not.toHaveText(person.apiKey);
  await page.getByRole('main').getByRole('link', { name: 'Account Info' }).click();
  await expect(pageHeading(page)).toHaveText('Account Info');
  await page.goBack();
  await expect(generate(page)).toBeVisible();
  await expect(newKey(page)).toBeHidden();
});

for (const { what, answer, words } of [
  {
    what: 'a refusal is shown in its own words',
    answer: { status: 503, json: { success: false, error: { code: 'UNAVAILABLE', message: 'Not today.' } } },
    words: ['Not today.', 'Not today. Please try again.'],
  },
  {
    what: 'a failure without words says that the key was not changed',
    answer: { status: 502, body: 'Bad gateway' },
    words: ['Failed to change API key', 'Failed to change API key. Please try again.'],
  },
]) {
  test(`${what}, in a toast and under the button`, async ({ signedInPage: page }) => {
    await page.route(call, (route) => route.fulfill(answer));
    await page.goto('/dashboard/change-api');
    await generate(page).click();
    await expect(toast(page, words[0] ?? '')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText(words[1] ?? '');
    await expect(generate(page)).toBeEnabled();
    await page.unroute(call);
    await holdBack(page, call);
    await generate(page).click();
    await expect(page.getByRole('alert')).toBeHidden();
  });
}
