import { errorBox } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { codeField, signUpForCode, verifyButton } from '../harness/verify-code-screen.ts';

test('the code field has the focus, and each digit is shown', async ({ page }) => {
  await page.goto('/verify-code');
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type('123456');
  await expect(codeField(page)).toHaveValue('123456');
  for (const digit of '123456') await expect(page.getByText(digit, { exact: true })).toBeVisible();
});

test('a code is extracted from pasted text', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/verify-code');
  await page.evaluate(() => navigator.clipboard.writeText('Your code: 314 159'));
  await codeField(page).press('ControlOrMeta+v');
  await expect(codeField(page)).toHaveValue('314159');
});

test('a code is kept in the field after a connection error', async ({ page, site }) => {
  const call = '**/api/v3/session/verify-email';
  const address = await signUpForCode(page);
  const right = await site.newestCodeFor(address);
  await page.route(call, (route) => route.abort());
  await codeField(page).fill(right);
  await verifyButton(page).click();
  await expect(errorBox(page)).toBeVisible();
  await expect(codeField(page)).toHaveValue(right);
  await page.unroute(call);
  await verifyButton(page).click();
  await expect(page).toHaveURL(/\/sign-in$/);
});

test('a failure without a message shows the default message', async ({ page }) => {
  await page.route('**/api/v3/session/verify-email', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await page.goto('/verify-code');
  await codeField(page).fill('123456');
  await verifyButton(page).click();
  await expect(errorBox(page)).toHaveText('Something went wrong, try again later!!');
});
