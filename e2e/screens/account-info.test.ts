import { apiKeyButton } from '../harness/account-info-screen.ts';
import { toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test.beforeEach(async ({ signedInPage: page }) => {
  await page.goto('/dashboard/account-info');
  await expect(apiKeyButton(page)).toBeVisible();
});

test('the page shows the email and the creation time of the account', async ({ page, regular }) => {
  await expect(page.getByRole('definition').nth(0)).toHaveText(regular.email);
  await expect(page.getByRole('definition').nth(1)).toHaveText(/^\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d /);
});

test('the API key is masked', async ({ page, regular }) => {
  await expect(apiKeyButton(page)).toHaveText(/hf_•{46}$/);
  await expect(page.getByText(regular.apiKey)).toBeHidden();
});

test('the API key is shown while the pointer is over it', async ({ page, regular }) => {
  await apiKeyButton(page).hover();
  await expect(apiKeyButton(page)).toContainText(regular.apiKey);
  await page.getByRole('heading', { name: 'Account Info' }).hover();
  await expect(apiKeyButton(page)).not.toContainText(regular.apiKey);
});

test('a click copies the API key', async ({ page, context, regular }) => {
  await apiKeyButton(page).click();
  await expect(toast(page, 'API key copied to clipboard!')).toBeVisible();
  await context.grantPermissions(['clipboard-read']);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(regular.apiKey);
});
