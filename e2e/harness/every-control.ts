import type { Page } from '@playwright/test';
import { watchFocus } from './focus.ts';
import { step } from './keyboard.ts';
import { expect } from './test.ts';

const mostStops = 200;

/** Goes once around the page by one key, soundly, and answers the controls on it that the key does not come to. */
export async function controlsMissedBy(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<readonly string[]> {
  const focus = watchFocus(page);
  const met = await page.evaluateHandle(() => new Set<Element | null>());
  let around = false;
  for (let stop = 0; stop < mostStops && !around; stop += 1) {
    around = await step(page, key);
    await focus.expectSound();
    await met.evaluate((all) => all.add(document.activeElement));
  }
  expect(around, 'the key comes around').toBe(true);
  return met.evaluate((all) =>
    // Behind an open dialog nothing can be reached. Of a group of choices the key meets the one that is chosen, and the
    // arrows meet the others.
    [
      ...(document.querySelector('dialog:modal') ?? document).querySelectorAll(
        'a[href], button, input:not([type=radio]), :checked, select, summary, [role=slider]',
      ),
    ]
      .filter((each) => !each.matches(':disabled, option') && !all.has(each))
      .filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .map((each) => each.outerHTML.slice(0, 160)),
  );
}
