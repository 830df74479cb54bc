import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';

/** A list with more rows renders only those near the window. */
const allDrawnUpTo = 200;
const rowsBeyondTheWindow = 6;

export interface DrawnRow {
  readonly index: number;
  readonly gap: number;
}

/**
 * Selects the rows of a list to render (virtual scrolling).
 * @param names unique keys of the rows
 * @param usualHeight estimated height of a row that has not been measured; if all rows have the same height, no
 * measuring is needed
 */
export function useDrawnRows(names: readonly (string | number)[], usualHeight: number) {
  const [list, setList] = useState<HTMLElement | null>(null);
  const partly = names.length > allDrawnUpTo;
  const top = useTop(partly ? list : null);
  const held = useHeldRow(list, names);
  // The results change with the window and not with the arguments, so they must not be memoized.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    enabled: partly,
    count: names.length,
    getItemKey: (index) => names[index] ?? index,
    estimateSize: () => usualHeight,
    overscan: rowsBeyondTheWindow,
    scrollMargin: top,
    rangeExtractor: (range) => withRow(defaultRangeExtractor(range), held, names.length),
    // The library would render on every wheel event and delay the next one.
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

/** Distance of the list from the top of the page. Content above it may change its height. */
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

/** The row with the focus is rendered after it is scrolled out of the window, so that the focus is not lost. */
function useHeldRow(list: HTMLElement | null, names: readonly (string | number)[]): number {
  const [held, setHeld] = useState<string | number>();
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

const allRows = (names: readonly unknown[]): readonly DrawnRow[] => names.map((_, index) => ({ index, gap: 0 }));

/** With its neighbors, which take the focus when the row is removed. */
const withRow = (range: number[], row: number, count: number): number[] => {
  const held = row === -1 ? [] : [row - 1, row, row + 1].filter((at) => at >= 0 && at < count);
  return [...new Set([...range, ...held])].toSorted((one, other) => one - other);
};
