import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { setTimeout as wait } from 'node:timers/promises';

/** Every rule of axe, in both themes. */
export async function expectNoAxeFindings(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await paint(page, colorScheme);
    expect(await brokenRules(page), colorScheme).toEqual([]);
  }
}

export async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
  // A colour that is half way from one theme to the other has no contrast to speak of.
  await page.waitForFunction(() => document.getAnimations().length === 0, undefined, { polling: 50 });
}

/** Only rules that were broken, with the places: that is what a reader of a failure wants. */
export async function brokenRules(page: Page): Promise<readonly string[]> {
  // Its other mode opens a second page for the frames that a page may have; ours have none.
  const analyze = () => new AxeBuilder({ page }).setLegacyMode(true).analyze();
  let results = await Promise.race([analyze(), wait(12_000, null)]);
  if (!results) {
    // Now and then, after a resize, this browser does not answer here; why is not understood. A picture asks it to draw.
    await page.screenshot();
    results = await analyze();
  }
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
