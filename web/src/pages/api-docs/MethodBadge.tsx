import { clsx } from 'clsx';
import type { SectionName } from './sections.ts';

export interface MethodBadgeProps {
  readonly method: NonNullable<SectionName['method']>;
  readonly isSmall?: boolean;
}

export function MethodBadge({ method, isSmall = false }: MethodBadgeProps) {
  return (
    <span
      className={clsx(
        'inline-block shrink-0 rounded-s border border-current text-center font-mono font-medium',
        isSmall ? 'w-[46px] text-[10px] leading-[15px]' : 'px-1.5 text-[12px] leading-5',
        colors[method],
      )}
    >
      {method}
    </span>
  );
}

const colors = { GET: 'text-sea', POST: 'text-ink', PUT: 'text-ink', DELETE: 'text-danger' };
