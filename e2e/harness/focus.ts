/** Checks that the keyboard focus is usable and visible whenever a user may press the next key. */
import { expect, type JSHandle, type Page } from '@playwright/test';

export interface FocusWatch {
  /** Waits until the focus is on an element that exists, is visible and shows the focus. */
  expectFocusVisible(): Promise<void>;
}

/** The focused element at the last check, and its look. */
interface Seen {
  readonly element: Element | null;
  readonly look: string;
  readonly fault: string | undefined;
}

/** The element that had the focus must look different without it, so each check is compared with the next one. */
export function watchFocus(page: Page): FocusWatch {
  let last: JSHandle<Seen> | undefined;
  return {
    async expectFocusVisible() {
      await expect
        .poll(async () => {
          const seen = await lookAtFocus(page, last);
          const fault = await seen.evaluate((each) => each.fault);
          if (fault === undefined) last = seen;
          return fault ?? 'sound';
        })
        .toBe('sound');
    },
  };
}

/** A page load discards the result of the last check. */
const lookAtFocus = (page: Page, last: JSHandle<Seen> | undefined): Promise<JSHandle<Seen>> =>
  page.evaluateHandle(inspect, last).catch(() => page.evaluateHandle(inspect, undefined));

/** Evaluated in the page, so it has no outside references. */
function inspect(last: Seen | undefined): Seen {
  const element = document.activeElement;
  const name = (each: Element) => each.outerHTML.slice(0, 160);
  /** The outline and shadow of an element and of its parent, which may show the focus for it. */
  const lookOf = (each: Element) =>
    [each, each.parentElement]
      .map((box) => {
        if (!box) return '';
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(box);
        const outline = outlineStyle === 'none' || outlineWidth === '0px' ? '' : `${outlineStyle} ${outlineWidth}`;
        return `${outline}|${boxShadow === 'none' ? '' : boxShadow}`;
      })
      .join('/');
  /** Headings and similar elements take the focus so that reading continues there. They cannot be pressed. */
  const isPlace = (each: Element) =>
    each.matches('[tabindex="-1"]:not([role], a, button, input, select, textarea, summary)');
  /** Returns whether some part of it is in the viewport and not covered. */
  const isSeen = (each: Element) => {
    const box = [...each.getClientRects()].find(({ width, height }) => width > 0 && height > 0);
    if (!box || !each.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const label = each.closest('label');
    return [0.5, 0.1, 0.9].some((across) =>
      [0.5, 0.1, 0.9].some((down) => {
        const top = document.elementFromPoint(box.left + box.width * across, box.top + box.height * down);
        return top !== null && (each.contains(top) || top === label || (label?.contains(top) ?? false));
      }),
    );
  };
  const faultOf = (each: Element | null) => {
    if (!each || each === document.body || each === document.documentElement) return 'nothing has the focus';
    if (!isPlace(each)) {
      if (!isSeen(each)) return `cannot be seen: ${name(each)}`;
      if (/^[|/]*$/.test(lookOf(each))) return `does not show that it has the focus: ${name(each)}`;
    }
    const before = last?.element;
    if (before?.isConnected && before !== each && !isPlace(before) && lookOf(before) === last?.look)
      return `looks the same without the focus: ${name(before)}`;
    return undefined;
  };
  return { element, look: element ? lookOf(element) : '', fault: faultOf(element) };
}
