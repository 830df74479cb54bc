import { plans, planLevels } from '@holdfast/contract/src/plans.ts';
import type { Page } from '@playwright/test';
import { test as deliveryTest } from '../harness/delivery.ts';
import { holdBack } from '../harness/hold-back.ts';
import { outlastRetries } from '../harness/outlast-retries.ts';
import { errorBox, pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

const path = '/speed-test';
const testFile = (level: string) => `/speed-test/250MB.bin?tier=${level}`;
const region = (page: Page) => page.getByRole('status').filter({ hasText: 'You are connected to:' });
const outcome = (page: Page) => page.getByRole('main').getByRole('status').last();
const tier = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Plans' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
const unable = 'Unable to determine server region';
const measure = (page: Page, name: string) => page.getByRole('button', { name: `Measure ${name}` });

test('it says which region answers, and that it is checking until it knows', async ({ page }) => {
  const held = await holdBack(page, '**/server-info');
  await page.goto(path);
  await expect(region(page)).toHaveText('You are connected to: Checking...');
  held.letGo();
  await expect(region(page)).toHaveText('You are connected to: Local');
});

for (const { what, answer, words, retried } of [
  { what: 'names none', answer: { json: { success: true } }, words: unable, retried: true },
  { what: 'refuses', answer: { status: 400, json: { success: false } }, words: unable, retried: false },
  { what: 'does not answer', answer: null, words: 'Failed to fetch server region', retried: true },
]) {
  test(`where the server ${what} the region is unknown, and can be asked for again`, async ({ page }) => {
    await page.clock.install();
    await page.route('**/server-info', (route) => (answer ? route.fulfill(answer) : route.abort()));
    const asked = page.waitForRequest('**/server-info');
    await page.goto(path);
    await asked;
    if (retried) await outlastRetries(page, '**/server-info');
    await expect(region(page)).toContainText('You are connected to: Unknown Region');
    await expect(region(page)).toContainText(words);
    await page.unroute('**/server-info');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(region(page)).toHaveText('You are connected to: Local');
  });
}

test("each plan's test file opens in a new tab at the speed of that plan", async ({ page }) => {
  await page.goto(path);
  for (const level of planLevels) {
    const { name } = plans[level];
    const link = tier(page, name).getByRole('link', { name: `${name}: 250MB file (opens in a new tab)` });
    await expect(link).toHaveAttribute('href', testFile(level));
    await expect(link).toHaveAttribute('target', '_blank');
  }
  const tab = page.context().waitForEvent('page');
  const answered = page.context().waitForEvent('response', (response) => response.url().endsWith(testFile('free')));
  await tier(page, 'Free').getByRole('link').click();
  expect(await tab).not.toBe(page);
  expect(await (await answered).headerValue('Content-Disposition')).toBe('attachment; filename="250MB.bin"');
  await expect(pageHeading(page)).toHaveText('Speed Test');
});

test('it explains the limits of the measured speeds', async ({ page }) => {
  await page.goto(path);
  const main = page.getByRole('main');
  await expect(main).toContainText('These speeds are maximums; the actual speed varies');
  await expect(main).toContainText('The free speed changes dynamically with the load.');
  await expect(main).toContainText('Limit: 20 tests an hour per IP address, 2 at once.');
});

test('a measurement of Free ends after ten seconds at the speed of Free', async ({ page }) => {
  await page.goto(path);
  await measure(page, 'Free').click();
  await expect(outcome(page)).toHaveText('Measuring Free...');
  await expect(measure(page, 'Power')).toBeDisabled();
  await expect(outcome(page)).toContainText('on average', { timeout: 15_000 });
  const said = await outcome(page).innerText();
  const [, average = '', seconds = ''] = /^Free: ([\d.]+) Mbps on average, .* in ([\d.]+)\s?s\.$/.exec(said) ?? [];
  expect(Number(average)).toBeGreaterThan(3.4);
  expect(Number(average)).toBeLessThan(4.6);
  expect(Number(seconds)).toBeCloseTo(10, 0);
  await expect(tier(page, 'Free')).toContainText(`Measured ${average}`);
  await expect(measure(page, 'Free')).toBeFocused();
});

test('at full speed it ends with the file', async ({ page }) => {
  await page.goto(path);
  await measure(page, 'Power').click();
  await expect(outcome(page)).toContainText(/^Power: [\d,.]+ Mbps on average, 250\.00 MB in /, { timeout: 15_000 });
});

test('a measurement can be canceled, and its download ends with it', async ({ page }) => {
  await page.goto(path);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith(testFile('free')));
  const begun = page.waitForResponse((response) => response.url().endsWith(testFile('free')));
  await measure(page, 'Free').click();
  await begun;
  await page.getByRole('button', { name: 'Cancel Free' }).click();
  await expect(outcome(page)).toHaveText('The measurement of Free was canceled.');
  await expect(measure(page, 'Free')).toBeFocused();
  await ended;
  await expect(tier(page, 'Free')).not.toContainText('Measured');
});

test('on a phone the figures come into view, with a way to cancel beside them', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 720 });
  await page.goto(path);
  await measure(page, 'Free').click();
  await expect(outcome(page)).toBeInViewport();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(outcome(page)).toHaveText('The measurement of Free was canceled.');
});

test('on a phone a plan keeps to one line, and its test file is marked as one that opens elsewhere', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 720 });
  await page.goto(path);
  const link = tier(page, 'Power').getByRole('link');
  await expect(link.locator('svg')).toBeVisible();
  const name = await tier(page, 'Power').getByText('Power', { exact: true }).first().boundingBox();
  expect((await link.boundingBox())?.y).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0));
});

test('it ends when the page is left', async ({ page }) => {
  await page.goto(path);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith(testFile('free')));
  const begun = page.waitForResponse((response) => response.url().endsWith(testFile('free')));
  await measure(page, 'Free').click();
  await begun;
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click();
  await expect(pageHeading(page)).toHaveText('Pricing');
  await ended;
});

test('a third run at a time is refused with the limits and the wait', async ({ page }) => {
  await page.goto(path);
  // Keeps the responses in the page, so that no run ends early.
  await page.evaluate(async (url) => {
    Object.assign(window, { runs: await Promise.all([fetch(url), fetch(url)]) });
  }, testFile('free'));
  await measure(page, 'Free').click();
  await expect(errorBox(page)).toHaveText(
    'Limit: 20 tests an hour per IP address, 2 at once. Try again in 10 seconds.',
  );
  await expect(measure(page, 'Power')).toBeEnabled();
});

test('without a connection it says what to check, and another try works', async ({ page }) => {
  await page.goto(path);
  await expect(region(page)).toContainText('Local');
  await page.context().setOffline(true);
  await measure(page, 'Power').click();
  await expect(errorBox(page)).toContainText('Check your connection, then measure again.');
  await page.context().setOffline(false);
  await measure(page, 'Power').click();
  await expect(outcome(page)).toContainText('on average', { timeout: 15_000 });
  await expect(errorBox(page)).toBeHidden();
});

deliveryTest('it measures the host of files where they have an origin of their own', async ({ page, hosts }) => {
  const { site } = await hosts('an origin for files only');
  await page.goto(site.url + path);
  const answered = page.waitForResponse((response) => response.status() === 200 && response.url().includes('250MB'));
  await measure(page, 'Power').click();
  expect(new URL((await answered).url()).hostname).toBe('127.0.0.1');
  await expect(outcome(page)).toContainText('on average', { timeout: 15_000 });
});
