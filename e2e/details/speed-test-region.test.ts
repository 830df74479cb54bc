import { outlastRetries } from '../harness/outlast-retries.ts';
import { serverRegion, speedTestPath } from '../harness/speed-test-screen.ts';
import { expect, test } from '../harness/test.ts';

test('the region is unknown if the server does not respond, and Try again requests it', async ({ page }) => {
  await page.clock.install();
  await page.route('**/server-info', (route) => route.abort());
  await outlastRetries(page, '**/server-info', () => page.goto(speedTestPath));
  await expect(serverRegion(page)).toContainText('You are connected to: Unknown Region');
  await expect(serverRegion(page)).toContainText('Failed to fetch server region');
  await page.unroute('**/server-info');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(serverRegion(page)).toHaveText('You are connected to: Local');
});
