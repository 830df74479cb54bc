/** Acts like a user in any browser: finds controls by label and text, and presses them. */
import { expect } from 'vitest';
import type { Driver, Point } from './driver.ts';

export interface Person {
  readonly driver: Driver;
  open(address: string): Promise<void>;
  /** Presses the link, button or checkbox with that name. */
  press(name: string): Promise<void>;
  /** Types into the field with that label. */
  fill(label: string, text: string): Promise<void>;
  /** Waits for the page with this heading. */
  arrivesAt(heading: string): Promise<void>;
  /** Waits until the page shows the text. */
  sees(text: string): Promise<void>;
}

export function personAt(driver: Driver): Person {
  const pressAtMiddleOf = async (element: string) => driver.pressAt(await pointIn(driver, element));
  return {
    driver,
    open: (address) => driver.open(address),
    press: (name) => pressAtMiddleOf(`(${findControl})(${JSON.stringify(name)})`),
    async fill(label, text) {
      await pressAtMiddleOf(`(${findField})(${JSON.stringify(label)})`);
      await driver.type(text);
    },
    async arrivesAt(heading) {
      await expect.poll(() => driver.evaluate('document.querySelector("h1")?.innerText')).toBe(heading);
    },
    async sees(text) {
      await expect.poll(() => driver.evaluate<string>('document.body.innerText')).toContain(text);
    },
  };
}

/** Waits until the element exists and has stopped moving, then returns its center. */
async function pointIn(driver: Driver, element: string): Promise<Point> {
  const where = `(async (find) => {
    const place = () => {
      const found = find();
      found?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
      const { x, y, width, height } = found?.getBoundingClientRect() ?? {};
      return width > 0 ? { x: x + width / 2, y: y + height / 2 } : null;
    };
    const before = place();
    await new Promise(requestAnimationFrame);
    const after = place();
    return JSON.stringify(before) === JSON.stringify(after) ? after : null;
  })(() => ${element})`;
  let point: Point | null = null;
  await expect
    .poll(async () => (point = await driver.evaluate<Point | null>(where)), { message: element })
    .not.toBeNull();
  if (!point) throw new Error(`there is no ${element}`);
  return point;
}

/** Picks the last match: a page's own controls come after those of its frame. */
const findControl = `(name) =>
  [...document.querySelectorAll('a, button, [role=button], input[type=checkbox]')].findLast((each) => {
    const label = each.getAttribute('aria-label') ?? each.labels?.[0]?.innerText ?? each.innerText;
    return each.checkVisibility() && !each.disabled && label.trim() === name;
  })`;

const findField = `(label) =>
  [...document.querySelectorAll('label')].find((each) => each.innerText.trim() === label)?.control`;
