import { toast } from '../harness/screen.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { expect, test } from '../harness/test.ts';
import { resendButton, resendWait, signUpForCode } from '../harness/verify-code-screen.ts';

test('a resend that the server refuses shows the countdown again', async ({ page }) => {
  await signUpForCode(page);
  await stopClock(page);
  await page.clock.runFor('02:00');
  await resendButton(page).click();
  await expect(toast(page, "Couldn't resend code. Try again later.")).toBeVisible();
  await expect(resendWait(page)).toBeVisible();
  await expect(resendButton(page)).toBeDisabled();
});

test('resending without a known email shows where to start', async ({ page }) => {
  await page.goto('/verify-code');
  await expect(resendWait(page)).toBeHidden();
  await resendButton(page).click();
  await expect(toast(page, 'Email is missing. Go back and start from sign-in.')).toBeVisible();
});

test('a reload does not restart the countdown', async ({ page }) => {
  await page.clock.install();
  await signUpForCode(page);
  await page.clock.fastForward('01:30');
  await page.reload();
  await expect(resendWait(page)).toHaveText(/^Wait 0:[0-3]\d/);
});
