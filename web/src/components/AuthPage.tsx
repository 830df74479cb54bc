import type { ReactNode } from 'react';
import { Contours } from '../ui/Contours.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';

export interface AuthPageProps {
  readonly title: string;
  readonly intro: ReactNode;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}

export function AuthPage({ title, intro, children, footer }: AuthPageProps) {
  return (
    <div className="relative flex flex-1 overflow-clip">
      <div className="mx-auto grid w-full max-w-[1200px] flex-1 items-stretch px-4 sm:px-6 lg:grid-cols-2">
        <div className="w-full max-w-[400px] justify-self-center py-10 sm:py-16 lg:justify-self-start lg:py-24">
          <PageTitle className="text-[32px] leading-10">{title}</PageTitle>
          <p className="mt-2 mb-8 text-muted">{intro}</p>
          {children}
          {footer !== undefined && <p className="mt-6 text-m text-muted">{footer}</p>}
        </div>
      </div>
      <div aria-hidden className="absolute inset-y-0 left-1/2 hidden w-1/2 overflow-clip border-l border-line lg:block">
        <Contours className="absolute top-1/2 left-1/2 h-[840px] w-[960px] max-w-none -translate-x-1/2 -translate-y-1/2" />
      </div>
    </div>
  );
}
