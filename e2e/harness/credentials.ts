/** Fields of the forms that ask for an email and a password. */
import type { Locator, Page } from '@playwright/test';

/** A valid password that no test account starts with. */
export const newPassword = 'Battery-Staple-8';

export const emailField = (page: Page): Locator => page.getByLabel('Email', { exact: true });
export const passwordField = (page: Page): Locator => page.getByLabel('Password', { exact: true });
export const newPasswordField = (page: Page): Locator => page.getByLabel('New password', { exact: true });
export const confirmationField = (page: Page): Locator => page.getByLabel('Confirm password', { exact: true });
