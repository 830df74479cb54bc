import { expect, type Page } from '@playwright/test';

/**
 * Begins something that makes a failing call, and advances the page's clock past its three retries. Install the clock
 * first. On a slow machine some of the retries are sent before that, so they are counted from the beginning.
 */
export async function outlastRetries(page: Page, call: string, begin: () => Promise<unknown>): Promise<void> {
  let sent = 0;
  await page.route(call, (route) => {
    sent += 1;
    return route.fallback();
  });
  const areSent = (count: number) => expect.poll(() => sent, { intervals: [10] }).toBeGreaterThanOrEqual(count);
  await begin();
  for (const [retries, wait] of [1000, 2000, 4000].entries()) {
    await areSent(1 + retries);
    await page.clock.runFor(wait);
  }
  await areSent(4);
}
