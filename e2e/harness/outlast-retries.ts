import type { Page } from '@playwright/test';

/** Lets the three retries of a failing call go by (spec section 9), on the page's own clock: install it first. */
export async function outlastRetries(page: Page, call: string): Promise<void> {
  for (const wait of [1000, 2000, 4000]) {
    const asked = page.waitForRequest(call);
    await page.clock.runFor(wait);
    await asked;
  }
}
