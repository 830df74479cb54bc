import type { Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { settingsEntry, settingsPath } from '../harness/settings-screen.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

const settingsEntries = (page: Page) => page.getByRole('main').getByRole('link');

test.use({ timezoneId: 'Europe/Berlin' });

test('the page links to each settings page', async ({ signedInPage: page }) => {
  for (const [name, to] of [
    ['General Settings', 'general'],
    ['Security', 'security'],
    ['Change API', 'change-api'],
    ['Delete Account', 'delete-account'],
  ] as const) {
    await page.goto(settingsPath);
    await expect(settingsEntries(page)).toHaveCount(4);
    await settingsEntry(page, name).press('Enter');
    await expect(page).toHaveURL(new RegExp(`/dashboard/${to}$`));
    await expect(pageHeading(page)).toHaveText(name);
  }
});

test('each entry describes its page and shows its current value', async ({ page, person, site }) => {
  await uploadByKey(site, person, 'kelp.txt', new Uint8Array(250_000));
  await page.goto(settingsPath);
  await expect(settingsEntry(page, 'General Settings')).toContainText('Europe/Berlin (automatic)');
  await expect(settingsEntry(page, 'Security')).toContainText('1 session');
  await expect(settingsEntry(page, 'Change API')).toContainText('A new key for your scripts');
  await expect(settingsEntry(page, 'Delete Account')).toContainText('1 file, 250.00 KB');
});

test('values that fail to load are left out, and the links are still shown', async ({ signedInPage: page }) => {
  for (const call of ['get-account-settings', 'get-sessions'])
    await page.route(`**/${call}`, (route) => route.fulfill({ status: 400, json: { success: false, error: 'no' } }));
  await page.goto(settingsPath);
  await expect(settingsEntries(page)).toHaveText([
    'General SettingsTimezone, links and automatic deletion',
    'SecurityYour password, and where you are signed in',
    'Change APIA new key for your scripts, apps and upload tools',
    /^Delete Account/,
  ]);
});
