/** Shared by the tests of Sign Up. */
import type { Locator, Page } from '@playwright/test';
import { confirmationField, emailField, passwordField } from './credentials.ts';
import { goodPassword } from './test.ts';

export const signUpButton = (page: Page): Locator => page.getByRole('button', { name: 'Sign Up' });

export async function fillSignUp(page: Page, address: string): Promise<void> {
  await emailField(page).fill(address);
  await passwordField(page).fill(goodPassword);
  await confirmationField(page).fill(goodPassword);
}
