import { measureButton, measurementOutcome, speedTestPath, speedTier } from '../harness/speed-test-screen.ts';
import { expect, test } from '../harness/test.ts';

test('on a phone the result scrolls into view, and the measurement can be canceled', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 720 });
  await page.goto(speedTestPath);
  await measureButton(page, 'Free').click();
  await expect(measurementOutcome(page)).toBeInViewport();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(measurementOutcome(page)).toHaveText('The measurement of Free was canceled.');
});

test('on a phone a plan fits on one line, and its test file has an external link icon', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 720 });
  await page.goto(speedTestPath);
  const link = speedTier(page, 'Power').getByRole('link');
  await expect(link.locator('svg')).toBeVisible();
  const name = await speedTier(page, 'Power').getByText('Power', { exact: true }).first().boundingBox();
  expect((await link.boundingBox())?.y).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0));
});
