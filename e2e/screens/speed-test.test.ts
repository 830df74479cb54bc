import { publicLevels, standardPlans } from '@holdfast/contract/src/plans.ts';
import { holdBack } from '../harness/hold-back.ts';
import { pageHeading } from '../harness/screen.ts';
import {
  measureButton,
  measurementOutcome,
  serverRegion,
  speedTestFile,
  speedTestPath,
  speedTier,
} from '../harness/speed-test-screen.ts';
import { expect, test } from '../harness/test.ts';

test("the page shows the server's region, the limits of the speeds and a file for each plan in a new tab", async ({
  page,
}) => {
  const held = await holdBack(page, '**/server-info');
  await page.goto(speedTestPath);
  await expect(serverRegion(page)).toHaveText('You are connected to: Checking...');
  held.letGo();
  await expect(serverRegion(page)).toHaveText('You are connected to: Local');
  const main = page.getByRole('main');
  await expect(main).toContainText('These speeds are maximums; the actual speed varies');
  await expect(main).toContainText('The free speed changes dynamically with the load.');
  await expect(main).toContainText('Limit: 20 tests an hour per IP address, 2 at once.');
  for (const level of publicLevels) {
    const { name } = standardPlans[level];
    const link = speedTier(page, name).getByRole('link', { name: `${name}: 250MB file (opens in a new tab)` });
    await expect(link).toHaveAttribute('href', speedTestFile(level));
    await expect(link).toHaveAttribute('target', '_blank');
  }
  const tab = page.context().waitForEvent('page');
  const answered = page
    .context()
    .waitForEvent('response', (response) => response.url().endsWith(speedTestFile('free')));
  await speedTier(page, 'Free').getByRole('link').click();
  expect(await tab).not.toBe(page);
  expect(await (await answered).headerValue('Content-Disposition')).toBe('attachment; filename="250MB.bin"');
  await expect(pageHeading(page)).toHaveText('Speed Test');
});

test('a measurement can be canceled, and its download ends with it', async ({ page }) => {
  await page.goto(speedTestPath);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith(speedTestFile('free')));
  const begun = page.waitForResponse((response) => response.url().endsWith(speedTestFile('free')));
  await measureButton(page, 'Free').click();
  await begun;
  await page.getByRole('button', { name: 'Cancel Free' }).click();
  await expect(measurementOutcome(page)).toHaveText('The measurement of Free was canceled.');
  await expect(measureButton(page, 'Free')).toBeFocused();
  await ended;
  await expect(speedTier(page, 'Free')).not.toContainText('Measured');
});
