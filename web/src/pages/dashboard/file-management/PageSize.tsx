import { ChevronDown } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { pageSizes } from '../../../lib/file-list-search.ts';

export interface PageSizeProps {
  readonly limit: number;
  /** Of the list that is on the page: that of the chosen size comes a moment later. */
  readonly drawn: number;
  readonly total: number;
  readonly onResize: (limit: number) => void;
}

/** How many files one page has. With fewer files than the smallest page there is nothing to choose. */
export function PageSize({ limit, drawn, total, onResize }: PageSizeProps) {
  const select = useRef<HTMLSelectElement>(null);
  const byKey = useRef(false);
  // A list that grew pushes what stands below it out of the window. Whoever chose by keys goes on from here; a hand on
  // the mouse is on its way to the files. (A select matches `:focus-visible` for both.)
  useLayoutEffect(() => {
    const chosenByKey = byKey.current && select.current === document.activeElement;
    if (drawn === limit && chosenByKey) select.current?.scrollIntoView({ block: 'nearest' });
  }, [drawn, limit]);
  if (total <= Math.min(...pageSizes)) return null;
  return (
    <div className="relative">
      <select
        ref={select}
        aria-label="Files on a page"
        value={limit}
        onKeyDown={() => (byKey.current = true)}
        onPointerDown={() => (byKey.current = false)}
        onChange={(event) => onResize(Number(event.currentTarget.value))}
        className="h-control cursor-pointer appearance-none rounded-m border border-line bg-surface pr-8 pl-3 text-s hover:bg-sunken"
      >
        {pageSizes.map((size) => (
          <option key={size} value={size}>
            {size} per page
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted"
      />
    </div>
  );
}
