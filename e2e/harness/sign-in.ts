import type { Locator, Page } from '@playwright/test';
import { emailField, passwordField } from './credentials.ts';
import { goodPassword, type Person } from './test.ts';

export const loginCall = '**/api/v3/session/login';

export const signInButton = (page: Page): Locator => page.getByRole('main').getByRole('button', { name: 'Sign In' });

/** Fills and submits the sign-in form of the open page. */
export async function signIn(page: Page, { email }: Pick<Person, 'email'>, password = goodPassword): Promise<void> {
  await emailField(page).fill(email);
  await passwordField(page).fill(password);
  await signInButton(page).click();
}
