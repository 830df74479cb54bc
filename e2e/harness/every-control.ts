import type { Page } from '@playwright/test';
import { watchFocus } from './focus.ts';
import { step } from './keyboard.ts';
import { expect } from './test.ts';

const mostStops = 200;

/** Goes once around the page with one key, checks the focus at each stop, and returns the controls the key missed. */
export async function controlsMissedBy(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<readonly string[]> {
  const focus = watchFocus(page);
  const met = await page.evaluateHandle(() => new Set<Element | null>());
  let around = false;
  for (let stop = 0; stop < mostStops && !around; stop += 1) {
    around = await step(page, key);
    await focus.expectFocusVisible();
    await met.evaluate((all) => all.add(document.activeElement));
  }
  expect(around, 'the key comes around').toBe(true);
  return met.evaluate((all) =>
    // Nothing behind an open dialog can be reached. In a radio group the key reaches the chosen option, and the arrow
    // keys reach the others.
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
