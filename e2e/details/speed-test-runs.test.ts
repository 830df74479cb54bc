import { test as deliveryTest } from '../harness/delivery.ts';
import { errorBox, pageHeading } from '../harness/screen.ts';
import {
  measureButton,
  measurementOutcome,
  serverRegion,
  speedTestFile,
  speedTestPath,
  speedTier,
} from '../harness/speed-test-screen.ts';
import { expect, test } from '../harness/test.ts';

test('a measurement of Free ends after ten seconds at the speed of Free', async ({ page }) => {
  await page.goto(speedTestPath);
  await measureButton(page, 'Free').click();
  await expect(measurementOutcome(page)).toHaveText('Measuring Free...');
  await expect(measureButton(page, 'Power')).toBeDisabled();
  await expect(measurementOutcome(page)).toContainText('on average', { timeout: 15_000 });
  const said = await measurementOutcome(page).innerText();
  const [, average = '', seconds = ''] = /^Free: ([\d.]+) Mbps on average, .* in ([\d.]+)\s?s\.$/.exec(said) ?? [];
  expect(Number(average)).toBeGreaterThan(3.4);
  expect(Number(average)).toBeLessThan(4.6);
  expect(Number(seconds)).toBeCloseTo(10, 0);
  await expect(speedTier(page, 'Free')).toContainText(`Measured ${average}`);
  await expect(measureButton(page, 'Free')).toBeFocused();
});

test('a measurement at full speed ends with the file', async ({ page }) => {
  await page.goto(speedTestPath);
  await measureButton(page, 'Power').click();
  await expect(measurementOutcome(page)).toContainText(/^Power: [\d,.]+ Mbps on average, 250\.00 MB in /, {
    timeout: 15_000,
  });
});

test('a measurement ends when the user leaves the page', async ({ page }) => {
  await page.goto(speedTestPath);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith(speedTestFile('free')));
  const begun = page.waitForResponse((response) => response.url().endsWith(speedTestFile('free')));
  await measureButton(page, 'Free').click();
  await begun;
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click();
  await expect(pageHeading(page)).toHaveText('Pricing');
  await ended;
});

test('a third concurrent run is refused with the limits and the waiting time', async ({ page }) => {
  await page.goto(speedTestPath);
  // Keeps the responses in the page, so that no run ends early.
  await page.evaluate(async (url) => {
    Object.assign(window, { runs: await Promise.all([fetch(url), fetch(url)]) });
  }, speedTestFile('free'));
  await measureButton(page, 'Free').click();
  await expect(errorBox(page)).toHaveText(
    'Limit: 20 tests an hour per IP address, 2 at once. Try again in 10 seconds.',
  );
  await expect(measureButton(page, 'Power')).toBeEnabled();
});

test('a measurement without a connection shows an error, and a second one succeeds', async ({ page }) => {
  await page.goto(speedTestPath);
  await expect(serverRegion(page)).toContainText('Local');
  await page.context().setOffline(true);
  await measureButton(page, 'Power').click();
  await expect(errorBox(page)).toContainText('Check your connection, then measure again.');
  await page.context().setOffline(false);
  await measureButton(page, 'Power').click();
  await expect(measurementOutcome(page)).toContainText('on average', { timeout: 15_000 });
  await expect(errorBox(page)).toBeHidden();
});

deliveryTest('the host of files is measured if files have their own origin', async ({ page, hosts }) => {
  const { site } = await hosts('an origin for files only');
  await page.goto(site.url + speedTestPath);
  const answered = page.waitForResponse((response) => response.status() === 200 && response.url().includes('250MB'));
  await measureButton(page, 'Power').click();
  expect(new URL((await answered).url()).hostname).toBe('127.0.0.1');
  await expect(measurementOutcome(page)).toContainText('on average', { timeout: 15_000 });
});
