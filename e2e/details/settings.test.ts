import { pageHeading } from '../harness/screen.ts';
import { settingsEntry, settingsPath } from '../harness/settings-screen.ts';
import { expect, test } from '../harness/test.ts';

test.use({ timezoneId: 'Europe/Berlin' });

for (const name of ['General Settings', 'Security', 'Change API', 'Delete Account']) {
  test(`${name} has a link to Settings`, async ({ signedInPage: page }) => {
    await page.goto(`/dashboard/${name.toLowerCase().replace(' settings', '').replace(' ', '-')}`);
    await expect(pageHeading(page)).toHaveText(name);
    await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).press('Enter');
    await expect(page).toHaveURL(/\/dashboard\/settings$/);
    await expect(pageHeading(page)).toHaveText('Settings');
    await expect(pageHeading(page)).toBeFocused();
  });
}

test('General Settings shows the manual time zone if automatic detection is off', async ({ signedInPage: page }) => {
  await page.route('**/get-account-settings', async (route) => {
    const answer = await (await route.fetch()).text();
    await route.fulfill({
      body: answer
        .replace('"timezone_auto":true', '"timezone_auto":false')
        .replace(/"timezone":"[^"]+"/, '"timezone":"Asia/Tokyo"'),
    });
  });
  await page.goto(settingsPath);
  await expect(settingsEntry(page, 'General Settings')).toContainText('Asia/Tokyo');
});
