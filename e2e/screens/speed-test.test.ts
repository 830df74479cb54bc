import { publicLevels, standardPlans } from '@holdfast/contract/src/plans.ts';
import { spoilCall } from '../harness/spoil-call.ts';
import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import type { Locator, Page } from '@playwright/test';

const path = '/speed-test';
const fileOf = (level: string): string => `/speed-test/250MB.bin?tier=${level}`;
const region = (page: Page): Locator => page.getByRole('status').filter({ hasText: 'You are connected to:' });
const tier = (page: Page, name: string): Locator =>
  page
    .getByRole('list', { name: 'Plans' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
const measureButton = (page: Page, name: string): Locator => page.getByRole('button', { name: `Measure ${name}` });

test("the page shows the server's region, the limits of the speeds and a file for each plan in a new tab", async ({
  page,
}) => {
  const server = await spoilCall(page, '**/server-info', (route) => route.fulfill({ status: 404, body: 'a proxy' }));
  await page.goto(path);
  await expect(region(page)).toContainText('You are connected to: Unknown Region');
  await expect(region(page)).toContainText('Unable to determine server region');
  server.mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(region(page)).toHaveText('You are connected to: Local');
  const main = page.getByRole('main');
  await expect(main).toContainText('These speeds are maximums; the actual speed varies');
  await expect(main).toContainText('The free speed changes dynamically with the load.');
  await expect(main.getByText('Advanced, 250 Mbps')).toBeVisible();
  await expect(main).toContainText('Limit: 20 tests an hour per IP address, 2 at once.');
  for (const level of publicLevels) {
    const { name } = standardPlans[level];
    const link = tier(page, name).getByRole('link', { name: `${name}: 250MB file (opens in a new tab)` });
    await expect(link).toHaveAttribute('href', fileOf(level));
    await expect(link).toHaveAttribute('target', '_blank');
  }
  const tab = page.context().waitForEvent('page');
  const answered = page.context().waitForEvent('response', (response) => response.url().endsWith(fileOf('free')));
  await tier(page, 'Free').getByRole('link').click();
  expect(await tab).not.toBe(page);
  expect(await (await answered).headerValue('Content-Disposition')).toBe('attachment; filename="250MB.bin"');
  await expect(pageHeading(page)).toHaveText('Speed Test');
});

test('a measurement can be canceled, and its download ends with it', { tag: '@detail' }, async ({ page }) => {
  await page.goto(path);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith(fileOf('free')));
  const begun = page.waitForResponse((response) => response.url().endsWith(fileOf('free')));
  await measureButton(page, 'Free').click();
  await begun;
  await page.getByRole('button', { name: 'Cancel Free' }).click();
  await expect(page.getByRole('main').getByRole('status').last()).toHaveText('The measurement of Free was canceled.');
  await expect(measureButton(page, 'Free')).toBeFocused();
  await ended;
  await expect(tier(page, 'Free')).not.toContainText('Measured');
});
