import { holdBack } from '../harness/hold-back.ts';
import { errorBox, toast } from '../harness/screen.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { expect, test } from '../harness/test.ts';
import { codeField, resendButton, resendWait, signUpForCode, verifyButton } from '../harness/verify-code-screen.ts';

const anotherThan = (right: string) => right.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));

test('another code can be requested after two minutes; a wrong one is refused, and the right one leads to sign-in', async ({
  page,
  site,
}) => {
  const address = await signUpForCode(page, () => stopClock(page));
  const first = await site.newestCodeFor(address);
  await expect(page.getByText(address)).toBeVisible();
  await expect(resendButton(page)).toBeDisabled();
  await expect(resendWait(page)).toHaveText(/^Wait 2:00/);
  await page.clock.runFor('01:00');
  await expect(resendWait(page)).toHaveText(/^Wait 1:00/);
  await page.clock.runFor('01:00');
  await expect(resendWait(page)).toBeHidden();
  site.ageCodes(120);
  await resendButton(page).click();
  await expect(toast(page, 'Verification code re-sent.')).toBeVisible();
  await expect(resendWait(page)).toHaveText('Wait 2:00 to re-send again.');
  await expect(resendButton(page)).toBeDisabled();
  const right = await site.newestCodeFor(address);
  expect(right).not.toBe(first);
  await page.clock.resume();
  await page.reload();
  await expect(page.getByText(address)).toBeVisible();

  await expect(verifyButton(page)).toBeDisabled();
  await codeField(page).pressSequentially('12a3');
  await expect(codeField(page)).toHaveValue('123');
  await expect(codeField(page)).toHaveAccessibleDescription('OTP must be 6 digits');
  await expect(verifyButton(page)).toBeDisabled();
  await codeField(page).fill('');
  await expect(codeField(page)).toHaveAccessibleDescription('OTP is required');

  const sending = await holdBack(page, '**/api/v3/session/verify-email');
  // The sixth digit sends the code.
  await codeField(page).pressSequentially(anotherThan(right));
  await expect(page.getByRole('button', { name: 'Verify', disabled: true })).toHaveAttribute('aria-busy', 'true');
  await expect(codeField(page)).toBeDisabled();
  sending.letGo(2);
  const words = 'That code is wrong or has expired. Use the one in the newest email, or request another.';
  await expect(errorBox(page)).toHaveText(words);
  await expect(codeField(page)).toHaveValue('');
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type(right);
  await expect(toast(page, 'Code verified')).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in$/);
});
