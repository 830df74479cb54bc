/** Shared by the tests of Forgot Password. */
import type { Locator, Page } from '@playwright/test';
import { emailField } from './credentials.ts';
import { newEmail } from './test.ts';

export const requestResetCall = '**/api/v3/session/request-password-reset';
export const resetLinkSent = 'Password reset link sent. Please check your email.';
export const forgotPasswordButton = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: 'Forgot Password' });

export async function askForLink(page: Page, address = newEmail()): Promise<string> {
  await page.goto('/forget-password');
  await emailField(page).fill(address);
  await forgotPasswordButton(page).click();
  return address;
}
