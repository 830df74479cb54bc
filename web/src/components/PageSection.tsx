import { clsx } from 'clsx';
import { type ReactNode, type Ref, useId } from 'react';

export interface PageSectionProps {
  readonly title: string;
  readonly titleRef?: Ref<HTMLHeadingElement>;
  readonly text?: ReactNode;
  /** A button for all of the section. */
  readonly action?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A part of a settings page. On wide screens its title and explanation are beside its content. */
export function PageSection({ title, titleRef, text, action, className, children }: PageSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={clsx('grid gap-x-12 gap-y-3 xl:grid-cols-[minmax(0,1fr)_minmax(0,1.8fr)]', className)}
    >
      <div className="flex flex-wrap content-start items-end justify-between gap-3 xl:flex-col xl:items-start xl:justify-start">
        <div className="max-w-[64ch]">
          <h2
            id={id}
            ref={titleRef}
            tabIndex={titleRef ? -1 : undefined}
            className="text-title-s font-semibold outline-none"
          >
            {title}
          </h2>
          {text !== undefined && <p className="mt-1 text-muted">{text}</p>}
        </div>
        {action}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
