import { expect, type Page } from '@playwright/test';

/** From now on the page's time advances only through `page.clock.runFor`. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 60_000);
}

/** Advances time in steps until the check passes. */
export async function passTimeUntil(page: Page, stepMs: number, check: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(stepMs);
    await check();
  }).toPass({ intervals: [10] });
}

/** A check that fails early, so that the next step of time begins. */
export const soon = { timeout: 300 };
