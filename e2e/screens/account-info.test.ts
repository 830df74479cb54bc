import type { Page } from '@playwright/test';
import { apiKeyButton, keyInForm } from '../harness/account-info-screen.ts';
import { fromNewAddress } from '../harness/client-address.ts';
import { toast } from '../harness/screen.ts';
import { spoilCall } from '../harness/spoil-call.ts';
import { expect, test } from '../harness/test.ts';

const openPage = async (page: Page) => {
  await page.goto('/dashboard/account-info');
  await expect(apiKeyButton(page)).toBeVisible();
};

test('the page shows the email and the creation time of the account', async ({ signedInPage: page, regular }) => {
  await openPage(page);
  await expect(page.getByRole('definition').nth(0)).toHaveText(regular.email);
  await expect(page.getByRole('definition').nth(1)).toHaveText(/^\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d /);
});

test('the API key is masked', async ({ signedInPage: page, regular }) => {
  await openPage(page);
  await expect(apiKeyButton(page)).toHaveText(/hf_•{46}$/);
  await expect(page.getByText(regular.apiKey)).toBeHidden();
});

test('the API key is shown while the pointer is over it', async ({ signedInPage: page, regular }) => {
  await openPage(page);
  await apiKeyButton(page).hover();
  await expect(apiKeyButton(page)).toContainText(regular.apiKey);
  await page.getByRole('heading', { name: 'Account Info' }).hover();
  await expect(apiKeyButton(page)).not.toContainText(regular.apiKey);
});

test('a click copies the API key', async ({ signedInPage: page, context, regular }) => {
  await openPage(page);
  await apiKeyButton(page).click();
  await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
  await context.grantPermissions(['clipboard-read']);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(regular.apiKey);
});

test('the switch lets uploads carry the key in their form, and says what that costs', async ({
  page,
  person,
  site,
}) => {
  const upload = async () => {
    const form = new FormData();
    form.append('api_key', person.apiKey);
    form.append('file', new Blob(['hello']), 'hello.txt');
    return (await fetch(`${site.url}/api/v3/upload`, { method: 'POST', headers: fromNewAddress(), body: form })).status;
  };
  const change = async (on: boolean) => {
    const saved = page.waitForResponse('**/set-key-in-form');
    await keyInForm(page).setChecked(on);
    expect((await saved).status()).toBe(200);
  };
  await page.goto('/dashboard/account-info');
  await expect(keyInForm(page)).not.toBeChecked();
  await expect(keyInForm(page)).toHaveAccessibleDescription(/may log what is in a form, so your key is easier to leak/);
  expect(await upload()).toBe(401);

  await change(true);
  await expect(toast(page, 'Settings updated successfully')).toBeVisible();
  expect(await upload()).toBe(200);
  await page.reload();
  await expect(keyInForm(page)).toBeChecked();

  await change(false);
  expect(await upload()).toBe(401);
  await page.reload();
  await expect(keyInForm(page)).not.toBeChecked();
});

test('a switch that is clicked shows its new state before the page is painted again', async ({ page, person }) => {
  expect(person.apiKey).toBeTruthy();
  await page.goto('/dashboard/account-info');
  const shown = await keyInForm(page).evaluate(async (control) => {
    if (!(control instanceof HTMLInputElement)) throw new Error('The switch is not an input.');
    control.click();
    // Neither a timer nor a painted frame comes between microtasks.
    const afterMicrotasks = (turns: number): Promise<boolean> =>
      Promise.resolve().then(() => (turns === 0 ? control.checked : afterMicrotasks(turns - 1)));
    return afterMicrotasks(100);
  });
  expect(shown).toBe(true);
});

test('a refused change of the switch shows why, and the switch returns', async ({ page, person }) => {
  expect(person.apiKey).toBeTruthy();
  await page.goto('/dashboard/account-info');
  await spoilCall(page, '**/set-key-in-form', (route) =>
    route.fulfill({
      status: 503,
      json: { success: false, error: { code: 'UNAVAILABLE', message: 'Not now, please.' } },
    }),
  );
  await keyInForm(page).click();
  await expect(toast(page, 'Not now, please.')).toBeVisible();
  await expect(keyInForm(page)).not.toBeChecked();
  await expect(keyInForm(page)).toBeFocused();
});
