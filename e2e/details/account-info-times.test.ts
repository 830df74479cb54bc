import { apiKeyButton } from '../harness/account-info-screen.ts';
import { expect, test } from '../harness/test.ts';

test.beforeEach(async ({ signedInPage: page }) => {
  await page.goto('/dashboard/account-info');
  await expect(apiKeyButton(page)).toBeVisible();
});

for (const { zone, time } of [
  { zone: 'Asia/Tokyo', time: '2 Jan 2026, 08:30:00 GMT+9' },
  { zone: 'UTC', time: '1 Jan 2026, 23:30:00 UTC' },
]) {
  test(`the creation time is shown in the time zone of the account, ${zone}`, async ({ page }) => {
    // Let the calls of the first load finish: one answered during the reload would have no body to read.
    await page.waitForLoadState('networkidle');
    await page.route('**/get-account-info', async (route) => {
      const answer = await (await route.fetch()).text();
      await route.fulfill({ body: answer.replace(/"time_created":"[^"]+"/, '"time_created":"2026-01-01T23:30:00Z"') });
    });
    await page.route('**/get-account-settings', async (route) => {
      const answer = await (await route.fetch()).text();
      const manual = answer.replace('"timezone_auto":true', '"timezone_auto":false');
      await route.fulfill({ body: manual.replace(/"timezone":"[^"]+"/, `"timezone":"${zone}"`) });
    });
    await page.reload();
    await expect(page.getByRole('definition').nth(1)).toHaveText(time);
  });
}
