import { outlastRetries } from '../harness/outlast-retries.ts';
import { serverRegion, speedTestPath } from '../harness/speed-test-screen.ts';
import { expect, test } from '../harness/test.ts';

const unable = 'Unable to determine server region';

for (const { what, answer, words, retried } of [
  { what: 'names no region', answer: { json: { success: true } }, words: unable, retried: true },
  { what: 'refuses the request', answer: { status: 400, json: { success: false } }, words: unable, retried: false },
  { what: 'does not respond', answer: null, words: 'Failed to fetch server region', retried: true },
]) {
  test(`the region is unknown if the server ${what}, and Try again requests it`, async ({ page }) => {
    await page.clock.install();
    await page.route('**/server-info', (route) => (answer ? route.fulfill(answer) : route.abort()));
    const open = () => page.goto(speedTestPath);
    await (retried ? outlastRetries(page, '**/server-info', open) : open());
    await expect(serverRegion(page)).toContainText('You are connected to: Unknown Region');
    await expect(serverRegion(page)).toContainText(words);
    await page.unroute('**/server-info');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(serverRegion(page)).toHaveText('You are connected to: Local');
  });
}
