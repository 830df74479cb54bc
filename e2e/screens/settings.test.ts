import type { Page } from '@playwright/test';
import { pageHeading } from '../harness/screen.ts';
import { expect, test, uploadByKey } from '../harness/test.ts';

test.use({ timezoneId: 'Europe/Berlin' });

const path = '/dashboard/settings';
const entries = (page: Page) => page.getByRole('main').getByRole('link');
const entry = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name });

test('it leads to each settings page, in the order of the sidebar', async ({ signedInPage: page }) => {
  for (const [name, to] of [
    ['General Settings', 'general'],
    ['Security', 'security'],
    ['Change API', 'change-api'],
    ['Delete Account', 'delete-account'],
  ] as const) {
    await page.goto(path);
    await expect(entries(page)).toHaveCount(4);
    await entry(page, name).press('Enter');
    await expect(page).toHaveURL(new RegExp(`/dashboard/${to}$`));
    await expect(pageHeading(page)).toHaveText(name);
  }
});

for (const name of ['General Settings', 'Security', 'Change API', 'Delete Account']) {
  test(`${name} leads to it from its heading`, async ({ signedInPage: page }) => {
    await page.goto(`/dashboard/${name.toLowerCase().replace(' settings', '').replace(' ', '-')}`);
    await expect(pageHeading(page)).toHaveText(name);
    await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).press('Enter');
    await expect(page).toHaveURL(/\/dashboard\/settings$/);
    await expect(pageHeading(page)).toHaveText('Settings');
    await expect(pageHeading(page)).toBeFocused();
  });
}

test('each entry describes its page and shows its current value', async ({ page, person, site }) => {
  await uploadByKey(site, person, 'kelp.txt', new Uint8Array(250_000));
  await page.goto(path);
  await expect(entry(page, 'General Settings')).toContainText('Europe/Berlin (automatic)');
  await expect(entry(page, 'Security')).toContainText('1 session');
  await expect(entry(page, 'Change API')).toContainText('A new key for your scripts');
  await expect(entry(page, 'Delete Account')).toContainText('1 file, 250.00 KB');
});

test('a zone that was chosen stands in the place of the detected one', async ({ signedInPage: page }) => {
  await page.route('**/get-account-settings', async (route) => {
    const answer = await (await route.fetch()).text();
    await route.fulfill({
      body: answer
        .replace('"timezone_auto":true', '"timezone_auto":false')
        .replace(/"timezone":"[^"]+"/, '"timezone":"Asia/Tokyo"'),
    });
  });
  await page.goto(path);
  await expect(entry(page, 'General Settings')).toContainText('Asia/Tokyo');
});

test('a value that cannot be had is left out, and the ways on are there', async ({ signedInPage: page }) => {
  for (const call of ['get-account-settings', 'get-sessions'])
    await page.route(`**/${call}`, (route) => route.fulfill({ status: 400, json: { success: false, error: 'no' } }));
  await page.goto(path);
  await expect(entries(page)).toHaveText([
    'General SettingsTimezone, links and automatic deletion',
    'SecurityYour password, and where you are signed in',
    'Change APIA new key for your scripts, apps and upload tools',
    /^Delete Account/,
  ]);
});
