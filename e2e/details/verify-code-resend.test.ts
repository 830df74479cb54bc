import { holdBack } from '../harness/hold-back.ts';
import { toast } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { resendButton, resendWait, signUpForCode } from '../harness/verify-code-screen.ts';

test('while a code is on its way no other can be asked for', async ({ page, site }) => {
  await page.clock.install();
  await signUpForCode(page);
  await page.clock.fastForward('02:00');
  site.ageCodes(120);
  const sending = await holdBack(page, '**/api/v3/session/verify-email');
  await resendButton(page).click();
  await expect(resendWait(page)).toBeHidden();
  await expect(resendButton(page)).toBeDisabled();
  sending.letGo();
  await expect(resendWait(page)).toBeVisible();
});

test('a server that wants more patience sets the countdown', async ({ page }) => {
  await page.clock.install();
  await signUpForCode(page);
  await page.clock.fastForward('02:00');
  await resendButton(page).click();
  await expect(toast(page, "Couldn't resend code. Try again later.")).toBeVisible();
  await expect(resendWait(page)).toBeVisible();
  await expect(resendButton(page)).toBeDisabled();
});

test('without an address it says where to start', async ({ page }) => {
  await page.goto('/verify-code');
  await expect(resendWait(page)).toBeHidden();
  await resendButton(page).click();
  await expect(toast(page, 'Email is missing. Go back and start from sign-in.')).toBeVisible();
});

test('a reload does not start the two minutes anew', async ({ page }) => {
  await page.clock.install();
  await signUpForCode(page);
  await page.clock.fastForward('01:30');
  await page.reload();
  await expect(resendWait(page)).toHaveText(/^Wait 0:[0-3]\d/);
});
