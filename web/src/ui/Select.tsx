import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';

/** A choice that takes effect at once. It has no visible label, so it needs an `aria-label`. */
export function Select(props: Omit<ComponentProps<'select'>, 'className'>) {
  return (
    <div className="relative">
      <select
        {...props}
        className="h-control cursor-pointer appearance-none rounded-m border border-line bg-surface pr-8 pl-3 text-s hover:bg-sunken"
      />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted"
      />
    </div>
  );
}
