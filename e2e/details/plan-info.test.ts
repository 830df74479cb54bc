import { MB } from '../harness/megabyte.ts';
import { exceedsPlan, planInfoPath, planLimit, planUsage, usedBar } from '../harness/plan-info-screen.ts';
import { expect, test } from '../harness/test.ts';

test('an empty account shows a usage of zero', async ({ page, person }) => {
  await page.goto(planInfoPath);
  expect(person.email).toContain('@');
  await expect(planUsage(page)).toContainText('Space 0.0%');
  await expect(planUsage(page)).toContainText('0.00 B of 500.00 MB');
  await expect(planUsage(page)).toContainText('Slots 0.0%');
  await expect(planUsage(page)).toContainText('0 of 500');
  await expect(usedBar(page, 'Space')).toHaveAttribute('value', '0');
  await expect(exceedsPlan(page)).toBeHidden();
});

test('a full account shows 100% and no warning', async ({ page, person, site }) => {
  site.fill(person.email, { bytes: 500 * MB, files: 500 });
  await page.goto(planInfoPath);
  await expect(planUsage(page)).toContainText('Space 100.0%');
  await expect(exceedsPlan(page)).toBeHidden();
});

test('a quota of zero is shown as 0% used', async ({ signedInPage: page }) => {
  await page.route('**/get-account-info', async (route) => {
    const answer = await (await route.fetch()).text();
    await route.fulfill({ body: answer.replace(/"(space|slots)_quota":\d+/g, '"$1_quota":0') });
  });
  await page.goto(planInfoPath);
  await expect(planUsage(page)).toContainText('Space 0.0%');
  await expect(planUsage(page)).toContainText('of 0.00 B');
  await expect(planLimit(page, 'Account space')).toHaveText('0.00 B');
});

test('a download speed of 0 is shown as 0 Mbps', async ({ signedInPage: page }) => {
  await page.route('**/get-account-info', async (route) => {
    const answer = await (await route.fetch()).text();
    await route.fulfill({ body: answer.replace(/"max_file_download_speed":\d+/, '"max_file_download_speed":0') });
  });
  await page.goto(planInfoPath);
  await expect(planLimit(page, 'Max download speed')).toHaveText('0 Mbps');
});
