import { MB } from '../harness/megabyte.ts';
import { expect, test } from '../harness/test.ts';
import { quotaTile, usagePath } from '../harness/usage-screen.ts';

test('space is always shown in MB with two decimals', async ({ page, person, site }) => {
  site.putOnPlan(person.email, 'power');
  site.fill(person.email, { bytes: 12_345.678 * MB, files: 12_804 });
  await page.goto(usagePath);
  await expect(quotaTile(page, 'Space used')).toContainText('12,345.68 MB');
  await expect(quotaTile(page, 'Space used')).toContainText('of 25,000.00 MB');
  await expect(quotaTile(page, 'Quota used')).toContainText('49.4%');
  await expect(quotaTile(page, 'Files')).toContainText('12,804');
  await expect(quotaTile(page, 'Slots used')).toContainText('12.8%');
});

test('the note also appears if only the slots are exceeded', async ({ page, person, site }) => {
  site.fill(person.email, { bytes: 20, files: 501 });
  await page.goto(usagePath);
  await expect(page.getByText('Your files exceed your plan. They are all kept')).toBeVisible();
});

test('a quota of zero is shown as 0% used', async ({ signedInPage: page }) => {
  await page.route('**/get-account-info', async (route) => {
    const answer = await (await route.fetch()).text();
    await route.fulfill({ body: answer.replace(/"(space|slots)_quota":\d+/g, '"$1_quota":0') });
  });
  await page.goto(usagePath);
  await expect(quotaTile(page, 'Quota used')).toContainText('0.0%');
  await expect(quotaTile(page, 'Space used')).toContainText('of 0.00 MB');
});
