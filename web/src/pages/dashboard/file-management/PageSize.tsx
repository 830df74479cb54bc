import { ChevronDown } from 'lucide-react';
import { pageSizes } from '../../../lib/file-list-search.ts';

export interface PageSizeProps {
  readonly limit: number;
  readonly total: number;
  readonly onResize: (limit: number) => void;
}

/** How many files one page has. With fewer files than the smallest page there is nothing to choose. */
export function PageSize({ limit, total, onResize }: PageSizeProps) {
  if (total <= Math.min(...pageSizes)) return null;
  return (
    <div className="relative">
      <select
        aria-label="Files on a page"
        value={limit}
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
