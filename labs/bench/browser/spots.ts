import { setTimeout as delay } from 'node:timers/promises';
import type { Locator } from '@holdfast/test-support/open-browser.ts';
import type { Spot } from './hand.ts';

/** Returns the centers of the elements that can be clicked now, because nothing covers them. */
export async function spotsOf(locator: Locator): Promise<readonly Spot[]> {
  for (let looked = 0; looked < 100; looked += 1) {
    const spots = await locator.evaluateAll(uncovered);
    if (spots.length > 0) return spots;
    // Rows are drawn after the scroll that shows them.
    await delay(50);
  }
  throw new Error(`nothing of ${String(locator)} can be clicked`);
}

/** Evaluated in the page, so it must be self-contained. */
function uncovered(elements: readonly Element[]): Spot[] {
  return elements.flatMap((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const spot = { x: x + width / 2, y: y + height / 2 };
    const hit = document.elementFromPoint(spot.x, spot.y);
    const isLabel = hit instanceof HTMLLabelElement && hit.control === element;
    return hit !== null && (element.contains(hit) || isLabel) ? [spot] : [];
  });
}

/** Returns the items in turn, over and over. */
export function inTurn<Item>(items: readonly Item[], turn: number): Item {
  const item = items[turn % items.length];
  if (item === undefined) throw new Error('there is none');
  return item;
}
