/** Shared by the tests of Verify Email. */
import type { Locator, Page } from '@playwright/test';
import { pageHeading } from './screen.ts';
import { fillSignUp, signUpButton } from './sign-up-screen.ts';
import { expect, newEmail } from './test.ts';

export const codeField = (page: Page): Locator => page.getByLabel('Verification code');
export const verifyButton = (page: Page): Locator => page.getByRole('button', { name: 'Verify' });
export const resendButton = (page: Page): Locator => page.getByRole('button', { name: 'Re-send code' });
export const resendWait = (page: Page): Locator => page.getByText(/^Wait \d:\d\d to re-send again\.$/);

/** Signs up, which opens the page and passes the email on to it. Returns the email. */
export async function signUpForCode(page: Page, beforeSending = async () => {}): Promise<string> {
  const address = newEmail();
  await page.goto('/sign-up');
  await fillSignUp(page, address);
  await beforeSending();
  await signUpButton(page).click();
  await expect(pageHeading(page)).toHaveText('Verify Email');
  return address;
}
