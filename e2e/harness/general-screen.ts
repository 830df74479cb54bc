/** Shared by the tests of General Settings. */
import type { Locator, Page, Request } from '@playwright/test';
import { expect } from './test.ts';

export const generalPath = '/dashboard/general';
export const settingsCall = '**/api/v3/rest/get-account-settings';
export const changeSettingsCall = '**/api/v3/session/set-account-settings';
export const detectZoneCall = '**/api/v3/session/set-timezone';
export const settingsSaved = 'Settings updated successfully';
export const automaticZone = (page: Page): Locator => page.getByRole('switch', { name: 'Automatic Timezone' });
export const manualZone = (page: Page): Locator => page.getByRole('button', { name: /^Manual Timezone/ });
export const includeExtensions = (page: Page): Locator => page.getByRole('switch', { name: 'Include Extensions' });
export const continuousUploading = (page: Page): Locator => page.getByRole('switch', { name: 'Continuous Uploading' });
export const autoDeleteSlider = (page: Page): Locator =>
  page.getByRole('slider', { name: 'Auto Delete Inactive Files' });
export const filenameLength = (page: Page): Locator => page.getByRole('slider', { name: 'Filename Length' });
export const zoneOptions = (page: Page, which?: { name?: string; selected?: boolean }): Locator =>
  page.getByRole('listbox', { name: 'Manual Timezone' }).getByRole('option', which);
export const linkDomain = (page: Page): Locator => page.getByLabel('Default Link Domain');

/** Collects the bodies of one kind of call as they are sent. */
export function listenForBodies(page: Page, call: string): readonly unknown[] {
  const bodies: unknown[] = [];
  const address = call.slice(2);
  page.on('request', (request: Request) => {
    if (request.url().endsWith(address)) bodies.push(request.method() === 'POST' ? request.postDataJSON() : null);
  });
  return bodies;
}

/** Opens the settings and waits for the first timezone detection, so that later ones can be told apart from it. */
export async function openGeneral(page: Page): Promise<void> {
  const detected = page.waitForResponse(detectZoneCall);
  await page.goto(generalPath);
  await detected;
  await expect(automaticZone(page)).toBeVisible();
}
