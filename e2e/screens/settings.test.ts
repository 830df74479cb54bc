import type { Locator, Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

const settingsPath = '/dashboard/settings';
const settingsEntry = (page: Page, name: string): Locator => page.getByRole('main').getByRole('link', { name });

const settingsEntries = (page: Page) => page.getByRole('main').getByRole('link');

test.use({ timezoneId: 'Europe/Berlin' });

test('each entry describes its page, shows its current value and leads there', async ({ page, person, site }) => {
  await uploadByKey(site, person, 'kelp.txt', new Uint8Array(250_000));
  await page.goto(settingsPath);
  await expect(settingsEntries(page)).toHaveCount(4);
  for (const [name, text, to] of [
    ['General Settings', 'Europe/Berlin (automatic)', 'general'],
    ['Security', '1 session', 'security'],
    ['Change API', 'A new key for your scripts', 'change-api'],
    ['Delete Account', '1 file, 250.00 KB', 'delete-account'],
  ] as const) {
    await expect(settingsEntry(page, name)).toContainText(text);
    await settingsEntry(page, name).press('Enter');
    await expect(page).toHaveURL(new RegExp(`/dashboard/${to}$`));
    await expect(pageHeading(page)).toHaveText(name);
    await page.goBack();
  }
});

test(
  'values that fail to load are left out, and the links are still shown',
  { tag: '@detail' },
  async ({ signedInPage: page }) => {
    for (const call of ['get-account-settings', 'get-sessions'])
      await page.route(`**/${call}`, (route) => route.fulfill({ status: 400, json: { success: false, error: 'no' } }));
    await page.goto(settingsPath);
    await expect(settingsEntries(page)).toHaveText([
      'General SettingsTimezone, links and automatic deletion',
      'SecurityYour password, and where you are signed in',
      /^Change APIA new key for your scripts, apps and upload tools/,
      /^Delete Account/,
    ]);
  },
);
