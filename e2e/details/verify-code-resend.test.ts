import { errorBox } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { codeField, resendWait, signUpForCode } from '../harness/verify-code-screen.ts';

test('a reload does not restart the countdown, and a code is taken from pasted text', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  await signUpForCode(page);
  await page.clock.fastForward('01:30');
  await page.reload();
  await expect(resendWait(page)).toHaveText(/^Wait 0:[0-3]\d/);
  await page.evaluate(() => navigator.clipboard.writeText('Your code: 314 159'));
  await codeField(page).press('ControlOrMeta+v');
  await expect(errorBox(page)).toContainText('That code is wrong or has expired.');
});
