import { clsx } from 'clsx';
import { type ReactNode, useEffect } from 'react';
import { setPageTitle } from '../lib/document-title.ts';

export interface PageTitleProps {
  readonly children: ReactNode;
  readonly tab?: string;
  readonly className?: string;
}

/** The page's only h1. It also sets the tab's title, and takes the focus after navigation. */
export function PageTitle({ children, tab, className }: PageTitleProps) {
  const title = tab ?? (typeof children === 'string' ? children : '');
  useEffect(() => setPageTitle(title), [title]);
  return (
    <h1 tabIndex={-1} className={clsx('font-semibold tracking-[-0.02em]', className ?? 'text-title-m')}>
      {children}
    </h1>
  );
}
