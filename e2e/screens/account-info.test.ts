import type { Page } from '@playwright/test';
import { toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

const key = (page: Page) => page.getByRole('button', { name: 'Copy API key' });

test.beforeEach(async ({ signedInPage: page }) => {
  await page.goto('/dashboard/account-info');
  await expect(key(page)).toBeVisible();
});

test('it shows the email and when the account was made', async ({ page, regular }) => {
  await expect(page.getByRole('definition').nth(0)).toHaveText(regular.email);
  await expect(page.getByRole('definition').nth(1)).toHaveText(/^\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d /);
});

test('the API key is masked', async ({ page, regular }) => {
  await expect(key(page)).toHaveText(/hf_•{46}$/);
  await expect(page.getByText(regular.apiKey)).toBeHidden();
});

test('the API key shows while the pointer is on it', async ({ page, regular }) => {
  await key(page).hover();
  await expect(key(page)).toContainText(regular.apiKey);
  await page.getByRole('heading', { name: 'Account Info' }).hover();
  await expect(key(page)).not.toContainText(regular.apiKey);
});

test('the API key shows while the keyboard is on it', async ({ page, regular }) => {
  await page.getByRole('button', { name: 'Account menu' }).focus();
  await page.keyboard.press('Tab');
  await expect(key(page)).toBeFocused();
  await expect(key(page)).toContainText(regular.apiKey);
  await page.keyboard.press('Shift+Tab');
  await expect(key(page)).not.toContainText(regular.apiKey);
});

test('a click copies the API key', async ({ page, context, regular }) => {
  await key(page).click();
  await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
  await context.grantPermissions(['clipboard-read']);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(regular.apiKey);
});

test('where copying is forbidden the API key stands there to be copied by hand', async ({ page, regular }) => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    document.execCommand = () => false;
  });
  await key(page).click();
  await expect(toast(page, 'Failed to copy the API key. Select it and copy it by hand.')).toBeVisible();
  await expect(page.getByText(regular.apiKey)).toBeVisible();
});

test('a tap shows the API key until the next one elsewhere', async ({ browser, site, signedOnce }) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 800 } });
  await context.addCookies(signedOnce.cookies);
  const phone = await context.newPage();
  await phone.goto(`${site.url}/dashboard/account-info`);
  await expect(key(phone)).toHaveText(/hf_•{46}$/);
  await key(phone).tap();
  await expect(key(phone)).toContainText(signedOnce.person.apiKey);
  await phone.getByRole('heading', { name: 'Account Info' }).tap();
  await expect(key(phone)).not.toContainText(signedOnce.person.apiKey);
  await context.close();
});

for (const { zone, time } of [
  { zone: 'Asia/Tokyo', time: '2 Jan 2026, 08:30:00 GMT+9' },
  { zone: 'UTC', time: '1 Jan 2026, 23:30:00 UTC' },
]) {
  test(`when the account was made is told in its own zone, ${zone}`, async ({ page }) => {
    // Let the calls of the first load finish: one answered during the reload would have no body to read.
    await page.waitForLoadState('networkidle');
    await page.route('**/get-account-info', async (route) => {
      const answer = await (await route.fetch()).text();
      await route.fulfill({ body: answer.replace(/"time_created":"[^"]+"/, '"time_created":"2026-01-01T23:30:00Z"') });
    });
    await page.route('**/get-account-settings', async (route) => {
      const answer = await (await route.fetch()).text();
      const manual = answer.replace('"timezone_auto":true', '"timezone_auto":false');
      await route.fulfill({ body: manual.replace(/"timezone":"[^"]+"/, `"timezone":"${zone}"`) });
    });
    await page.reload();
    await expect(page.getByRole('definition').nth(1)).toHaveText(time);
  });
}

test('a key that the server can no longer show leads to a new one', async ({ page }) => {
  await page.route('**/get-account-info', async (route) => {
    const answer = await route.fetch();
    const reply = (await answer.json()) as { account: { info: { api_key: string } } };
    reply.account.info.api_key = '';
    await route.fulfill({ response: answer, json: reply });
  });
  await page.reload();
  await expect(page.getByText('Your key works, but it can no longer be shown here.')).toBeVisible();
  await page.getByRole('link', { name: 'Make a new one' }).click();
  await expect(page).toHaveURL(/\/dashboard\/change-api$/);
});
