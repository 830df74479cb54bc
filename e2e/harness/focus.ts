/** What must hold of the keyboard's focus at every moment in which a person may press the next key. */
import { expect, type JSHandle, type Page } from '@playwright/test';

export interface FocusWatch {
  /** Waits until the focus is on something that is there, that is seen, and that shows it. */
  expectSound(): Promise<void>;
}

/** Where the focus was when it was last looked at, and how that looked. */
interface Seen {
  readonly element: Element | null;
  readonly look: string;
  readonly fault: string | undefined;
}

/** What had the focus before must look another way without it, so each look is compared at the next one. */
export function watchFocus(page: Page): FocusWatch {
  let last: JSHandle<Seen> | undefined;
  return {
    async expectSound() {
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

/** A load of the page takes along what was seen before it. */
const lookAtFocus = (page: Page, last: JSHandle<Seen> | undefined): Promise<JSHandle<Seen>> =>
  page.evaluateHandle(inspect, last).catch(() => page.evaluateHandle(inspect, undefined));

/** For a page to evaluate, so it stands alone. */
function inspect(last: Seen | undefined): Seen {
  const element = document.activeElement;
  const name = (each: Element) => each.outerHTML.slice(0, 160);
  /** The outline and the shadow of an element and of the box around it, which may show the focus in its stead. */
  const lookOf = (each: Element) =>
    [each, each.parentElement]
      .map((box) => {
        if (!box) return '';
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(box);
        const outline = outlineStyle === 'none' || outlineWidth === '0px' ? '' : `${outlineStyle} ${outlineWidth}`;
        return `${outline}|${boxShadow === 'none' ? '' : boxShadow}`;
      })
      .join('/');
  /** Headings and the like take the focus so that reading goes on there: there is nothing to press. */
  const isPlace = (each: Element) =>
    each.matches('[tabindex="-1"]:not([role], a, button, input, select, textarea, summary)');
  /** Some part of it lies in the window with nothing above it. */
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
