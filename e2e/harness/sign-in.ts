import type { Page } from '@playwright/test';
import { goodPassword, type Person } from './test.ts';

/** Fills and submits the sign-in form of the open page. */
export async function signIn(page: Page, { email }: Person): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
}
