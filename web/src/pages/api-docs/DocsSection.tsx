import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export interface DocsSectionProps {
  readonly anchor: string;
  readonly title: string;
  readonly aside: ReactNode;
  readonly details?: ReactNode;
  readonly children: ReactNode;
}

/** A section with prose on the left and the sample on the right. */
export function DocsSection({ anchor, title, aside, details, children }: DocsSectionProps) {
  return (
    <section
      id={anchor}
      aria-labelledby={`${anchor}-title`}
      className={clsx(look, details !== undefined && 'xl:grid-rows-[auto_1fr]')}
    >
      <div className="min-w-0 space-y-4 text-[15px] leading-6">
        <h2 id={`${anchor}-title`} className="text-title-m font-semibold tracking-[-0.02em]">
          <a href={`#${anchor}`} className="hover:underline hover:decoration-line hover:underline-offset-4">
            {title}
          </a>
        </h2>
        {children}
      </div>
      <div className={clsx('min-w-0', details !== undefined && 'xl:row-span-2')}>
        <div className="space-y-4 xl:sticky xl:top-20">{aside}</div>
      </div>
      {details !== undefined && <div className="min-w-0 space-y-8">{details}</div>}
    </section>
  );
}

const look =
  'grid grid-cols-[minmax(0,1fr)] scroll-mt-8 gap-x-12 gap-y-7 border-b border-line px-4 py-10 last:border-b-0 sm:-scroll-mt-6 sm:px-8 xl:grid-cols-2 xl:py-14';
