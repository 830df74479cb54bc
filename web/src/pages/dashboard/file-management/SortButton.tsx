import type { SortDirection } from '@holdfast/contract/src/files.ts';
import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';

export interface SortButtonProps {
  readonly title: string;
  /** Where the list is sorted by this column. */
  readonly direction: SortDirection | undefined;
  /** The title stands at the right edge, above figures. */
  readonly atRight?: boolean | undefined;
  readonly onClick: () => void;
}

export function SortButton({ title, direction, atRight, onClick }: SortButtonProps) {
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={onClick}
      data-active={direction}
      className={clsx(look, atRight && 'flex-row-reverse')}
    >
      {title}
      <Arrow aria-hidden className="size-3.5 opacity-0 group-hover:opacity-50 group-data-active:opacity-100" />
    </button>
  );
}

const look = 'group inline-flex h-10 items-center gap-1 hover:text-ink data-active:text-ink';
