/** The test function of the tests that have a keyboard and nothing else. */
import type { Locator, Page } from '@playwright/test';
import { watchFocus } from './focus.ts';
import { expect, test as base } from './test.ts';

export { expect } from '@playwright/test';

export interface Keyboard {
  /** Presses keys one after the other; the focus is sound after each. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  /** Presses Tab until the control has the focus; every stop on the way is sound. */
  tabTo(control: Locator): Promise<void>;
  /** The same against the direction of reading. */
  tabBackTo(control: Locator): Promise<void>;
  /** What was under way is over: the focus is, or comes to be, on this. */
  expectAt(control: Locator): Promise<void>;
  /** What was under way is over: the focus is somewhere to go on from. */
  expectSound(): Promise<void>;
}

export const test = base.extend<{ keyboard: Keyboard }>({
  keyboard: ({ page }, use) => use(keyboardOf(page)),
});

const mostStops = 120;

export function keyboardOf(page: Page): Keyboard {
  const focus = watchFocus(page);
  const press: Keyboard['press'] = async (...keys) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await focus.expectSound();
    }
  };
  const goTo = async (control: Locator, key: string) => {
    await expect(control).toBeVisible();
    for (let stop = 0; stop < mostStops; stop += 1) {
      await step(page, key);
      await focus.expectSound();
      if ((await control.and(page.locator(':focus')).count()) === 1) return;
    }
    throw new Error(`${mostStops} presses of ${key} do not lead to ${control.toString()}`);
  };
  return {
    press,
    async type(text) {
      await page.keyboard.type(text);
      await focus.expectSound();
    },
    tabTo: (control) => goTo(control, 'Tab'),
    tabBackTo: (control) => goTo(control, 'Shift+Tab'),
    async expectAt(control) {
      await expect(control).toBeFocused();
      await focus.expectSound();
    },
    expectSound: () => focus.expectSound(),
  };
}

/** Between the last stop and the first one is the browser's own frame. */
export async function step(page: Page, key: string): Promise<boolean> {
  await page.keyboard.press(key);
  if (!(await atFrame(page))) return false;
  await page.keyboard.press(key);
  return true;
}

const atFrame = (page: Page) => page.evaluate(() => document.activeElement === document.body);
