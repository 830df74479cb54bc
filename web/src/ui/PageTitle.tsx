import { clsx } from 'clsx';
import { type ReactNode, type Ref, useEffect } from 'react';
import { setPageTitle } from '../lib/document-title.ts';

export interface PageTitleProps {
  readonly children: ReactNode;
  readonly tab?: string;
  readonly className?: string;
  readonly ref?: Ref<HTMLHeadingElement> | undefined;
}

/** The page's only h1. It also sets the tab's title, and takes the focus after navigation. */
export function PageTitle({ children, tab, className, ref }: PageTitleProps) {
  const title = tab ?? (typeof children === 'string' ? children : '');
  useEffect(() => setPageTitle(title), [title]);
  return (
    <h1 ref={ref} tabIndex={-1} className={clsx('font-semibold tracking-[-0.02em]', className ?? 'text-title-m')}>
      {children}
    </h1>
  );
}
