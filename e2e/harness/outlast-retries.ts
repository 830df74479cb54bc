import type { Page } from '@playwright/test';

/** Advances the page's clock past the three retries of a failing call. Install the clock first. */
export async function outlastRetries(page: Page, call: string): Promise<void> {
  for (const wait of [1000, 2000, 4000]) {
    const asked = page.waitForRequest(call);
    await page.clock.runFor(wait);
    await asked;
  }
}
