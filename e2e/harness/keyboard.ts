/** The test function for tests that use only the keyboard. */
import type { Locator, Page } from '@playwright/test';
import { watchFocus } from './focus.ts';
import { expect, test as base } from './test.ts';

export { expect } from '@playwright/test';

export interface Keyboard {
  /** Presses keys one after another and checks the focus after each. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  /** Presses Tab until the control has the focus, and checks the focus at every stop. */
  tabTo(control: Locator): Promise<void>;
  /** Like `tabTo`, but backward with Shift+Tab. */
  tabBackTo(control: Locator): Promise<void>;
  /** Waits until the focus is on this control, after an action has finished. */
  expectAt(control: Locator): Promise<void>;
  /** Waits until the focus is on a usable element, after an action has finished. */
  expectFocusVisible(): Promise<void>;
}

export const test = base.extend<{ keyboard: Keyboard }>({
  keyboard: ({ page }, use) => use(keyboardOf(page)),
});

const mostStops = 200;

function keyboardOf(page: Page): Keyboard {
  const focus = watchFocus(page);
  const press: Keyboard['press'] = async (...keys) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await focus.expectFocusVisible();
    }
  };
  const goTo = async (control: Locator, key: string) => {
    await expect(control).toBeVisible();
    for (let stop = 0; stop < mostStops; stop += 1) {
      await step(page, key);
      await focus.expectFocusVisible();
      if ((await control.and(page.locator(':focus')).count()) === 1) return;
    }
    throw new Error(`${mostStops} presses of ${key} do not lead to ${control.toString()}`);
  };
  return {
    press,
    async type(text) {
      await page.keyboard.type(text);
      await focus.expectFocusVisible();
    },
    tabTo: (control) => goTo(control, 'Tab'),
    tabBackTo: (control) => goTo(control, 'Shift+Tab'),
    async expectAt(control) {
      await expect(control).toBeFocused();
      await focus.expectFocusVisible();
    },
    expectFocusVisible: () => focus.expectFocusVisible(),
  };
}

/**
 * Presses a key. The browser's own frame comes between the last stop and the first and is skipped; returns whether it
 * was.
 */
async function step(page: Page, key: string): Promise<boolean> {
  await page.keyboard.press(key);
  if (!(await atFrame(page))) return false;
  await page.keyboard.press(key);
  return true;
}

const atFrame = (page: Page) => page.evaluate(() => document.activeElement === document.body);

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
    // keys reach the others. In a grid they reach what follows the first control of a row.
    [
      ...(document.querySelector('dialog:modal') ?? document).querySelectorAll(
        'a[href], button, input:not([type=radio]), :checked, select, summary, [role=slider]',
      ),
    ]
      .filter((each) => !each.matches(':disabled, option, [role=grid] [tabindex="-1"]') && !all.has(each))
      .filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .map((each) => each.outerHTML.slice(0, 160)),
  );
}
