import { apiKeyButton } from '../harness/account-info-screen.ts';
import { toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test.beforeEach(async ({ signedInPage: page }) => {
  await page.goto('/dashboard/account-info');
  await expect(apiKeyButton(page)).toBeVisible();
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
