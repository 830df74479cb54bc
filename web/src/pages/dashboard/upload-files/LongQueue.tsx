import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { useMedia } from '../../../lib/media.ts';
import type { FileRules } from './check-files.ts';
import { UploadRow } from './UploadRow.tsx';

export interface LongQueueProps {
  readonly ids: readonly number[];
  readonly rules: FileRules;
}

/** Renders only the rows near the screen, and the one that has the focus. Screen readers get the total number. */
export function LongQueue({ ids, rules }: LongQueueProps) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const rowHeight = useMedia(forFingers) ? 96 : 88;
  useLayoutEffect(() => setTop(documentTop(list.current)), []);
  // Nothing here is memoized.
  // oxlint-disable-next-line react/incompatible-library
  const { getVirtualItems, getTotalSize, measureElement } = useWindowVirtualizer({
    count: ids.length,
    estimateSize: () => rowHeight,
    overscan: 3,
    scrollMargin: top,
    getItemKey: (index) => ids[index] ?? index,
    rangeExtractor: (range) => withRow(defaultRangeExtractor(range), focusedRow(), ids.length),
    // The library would render while React is already rendering.
    useFlushSync: false,
  });
  return (
    <ul ref={list} aria-label="Upload queue" className="relative" style={{ height: getTotalSize() }}>
      {getVirtualItems().map((row) => (
        <li
          key={row.key}
          ref={measureElement}
          data-index={row.index}
          aria-setsize={ids.length}
          aria-posinset={row.index + 1}
          className="absolute inset-x-0 top-0 border-b border-line last:border-0"
          style={{ transform: `translateY(${row.start - top}px)` }}
        >
          <UploadRow id={idOf(row, ids)} rules={rules} />
        </li>
      ))}
    </ul>
  );
}

/** Media query under which controls are 44 pixels high. */
const forFingers = '(max-width: 860px), (pointer: coarse)';

const idOf = ({ index }: VirtualItem, ids: readonly number[]): number => ids[index] ?? 0;

const documentTop = (element: HTMLElement | null): number =>
  element ? element.getBoundingClientRect().top + window.scrollY : 0;

function focusedRow(): number | undefined {
  const index = document.activeElement?.closest('[data-index]')?.getAttribute('data-index');
  return index ? Number(index) : undefined;
}

/** Keeps the row with the focus rendered when it scrolls out of sight; otherwise the focus would move to the page. */
function withRow(indexes: number[], row: number | undefined, count: number): number[] {
  if (row === undefined || row >= count || indexes.includes(row)) return indexes;
  return [...indexes, row].toSorted((a, b) => a - b);
}
