import { apiKeyButton } from '../harness/account-info-screen.ts';
import { toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test.beforeEach(async ({ signedInPage: page }) => {
  await page.goto('/dashboard/account-info');
  await expect(apiKeyButton(page)).toBeVisible();
});

test('the API key is shown while its button has the keyboard focus', async ({ page, regular }) => {
  await page.getByRole('button', { name: 'Account menu' }).focus();
  await page.keyboard.press('Tab');
  await expect(apiKeyButton(page)).toBeFocused();
  await expect(apiKeyButton(page)).toContainText(regular.apiKey);
  await page.keyboard.press('Shift+Tab');
  await expect(apiKeyButton(page)).not.toContainText(regular.apiKey);
});

test('the API key is shown for manual copying if the clipboard is blocked', async ({ page, regular }) => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    document.execCommand = () => false;
  });
  await apiKeyButton(page).click();
  await expect(toast(page, 'Failed to copy the API key. Select it and copy it by hand.')).toBeVisible();
  await expect(page.getByText(regular.apiKey)).toBeVisible();
});

test('a tap shows the API key until the user taps elsewhere', async ({ browser, site, signedOnce }) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 800 } });
  await context.addCookies(signedOnce.cookies);
  const phone = await context.newPage();
  await phone.goto(`${site.url}/dashboard/account-info`);
  await expect(apiKeyButton(phone)).toHaveText(/hf_•{46}$/);
  await apiKeyButton(phone).tap();
  await expect(apiKeyButton(phone)).toContainText(signedOnce.person.apiKey);
  await phone.getByRole('heading', { name: 'Account Info' }).tap();
  await expect(apiKeyButton(phone)).not.toContainText(signedOnce.person.apiKey);
  await context.close();
});

test('the page links to Change API if the server can no longer show the key', async ({ page }) => {
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
