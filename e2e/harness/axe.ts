import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { setTimeout as wait } from 'node:timers/promises';

/** Runs every axe rule in both themes. */
export async function expectNoAxeFindings(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await paint(page, colorScheme);
    expect(await brokenRules(page), colorScheme).toEqual([]);
  }
}

/** Returns by how many pixels the page is wider than the screen. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

export async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
  // Contrast cannot be measured while a color is still in transition between the themes.
  await page.waitForFunction(() => document.getAnimations().length === 0, undefined, { polling: 50 });
}

/** Returns only the broken rules and where they broke, which is what the reader of a failure needs. */
export async function brokenRules(page: Page): Promise<readonly string[]> {
  let broken = await Promise.race([runAxe(page), wait(12_000, null)]);
  if (!broken) {
    // After a resize this browser sometimes does not respond here, for unknown reasons. A screenshot forces it to draw.
    await page.screenshot();
    broken = await runAxe(page);
  }
  return broken;
}

/** Runs it in the page itself, and loads it there once: a driver between them takes four times as long. */
async function runAxe(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: loaded } = window as unknown as { readonly axe: typeof axe };
    // Every rule runs. Without the option axe also describes every element that passed.
    const { violations } = await loaded.run({ resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
