import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';

/** A longer list draws only the rows near the window. */
const allDrawnUpTo = 200;
const rowsBeyondTheWindow = 6;

export interface DrawnRow {
  readonly index: number;
  /** The height of what is not drawn between the row before and this one. */
  readonly gap: number;
}

/**
 * Which rows of a list are on the page.
 * @param names what tells the rows apart
 * @param usualHeight of a row that was not measured yet; where rows are all alike, nothing needs to be measured
 */
export function useDrawnRows(names: readonly string[], usualHeight: number) {
  const [list, setList] = useState<HTMLElement | null>(null);
  const partly = names.length > allDrawnUpTo;
  const top = useTop(partly ? list : null);
  const held = useHeldRow(list, names);
  // Its answers change with the window and not with its arguments: it is asked here, and nowhere memorized.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    enabled: partly,
    count: names.length,
    getItemKey: (index) => names[index] ?? index,
    estimateSize: () => usualHeight,
    overscan: rowsBeyondTheWindow,
    scrollMargin: top,
    rangeExtractor: (range) => withRow(defaultRangeExtractor(range), held),
    // The library would draw at every step of the wheel, and keep the page from the next one.
    useFlushSync: false,
  });
  if (!partly) return { place: setList, measure: undefined, rows: allRows(names), rest: 0 } as const;
  const rows: DrawnRow[] = [];
  let end = top;
  for (const item of virtualizer.getVirtualItems()) {
    rows.push({ index: item.index, gap: item.start - end });
    end = item.end;
  }
  const rest = Math.max(0, top + virtualizer.getTotalSize() - end);
  return { place: setList, measure: virtualizer.measureElement, rows, rest } as const;
}

/** How far from the page's top a list starts. What stands above it may change its height. */
function useTop(list: HTMLElement | null): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (!list) return;
    const measure = () => setTop(Math.round(list.getBoundingClientRect().top + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return top;
}

/** The row with the focus stays when it is scrolled out of the window, and the focus with it. */
function useHeldRow(list: HTMLElement | null, names: readonly string[]): number {
  const [held, setHeld] = useState<string>();
  const hold = useEffectEvent(({ target }: FocusEvent) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
    setHeld(names[Number(row?.dataset['index'])]);
  });
  useEffect(() => {
    const onFocus = (event: FocusEvent) => hold(event);
    list?.addEventListener('focusin', onFocus);
    return () => list?.removeEventListener('focusin', onFocus);
  }, [list]);
  return held === undefined ? -1 : names.indexOf(held);
}

const allRows = (names: readonly string[]): readonly DrawnRow[] => names.map((_, index) => ({ index, gap: 0 }));

const withRow = (range: number[], row: number): number[] =>
  row === -1 || range.includes(row) ? range : [...range, row].toSorted((one, other) => one - other);
