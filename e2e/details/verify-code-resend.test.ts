import { toast } from '../harness/screen.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { expect, test } from '../harness/test.ts';
import { codeField, resendButton, resendWait, signUpForCode } from '../harness/verify-code-screen.ts';

test('a resend that the server refuses shows the countdown again', async ({ page }) => {
  await signUpForCode(page);
  await stopClock(page);
  await page.clock.runFor('02:00');
  await resendButton(page).click();
  await expect(toast(page, "Couldn't resend code. Try again later.")).toBeVisible();
  await expect(resendWait(page)).toBeVisible();
  await expect(resendButton(page)).toBeDisabled();
});

test('a reload does not restart the countdown, and a code is taken from pasted text', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  await signUpForCode(page);
  await page.clock.fastForward('01:30');
  await page.reload();
  await expect(resendWait(page)).toHaveText(/^Wait 0:[0-3]\d/);
  await page.evaluate(() => navigator.clipboard.writeText('Your code: 314 159'));
  await codeField(page).press('ControlOrMeta+v');
  await expect(codeField(page)).toHaveValue('314159');
});
