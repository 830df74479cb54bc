import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import { Contours } from '../ui/Contours.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { textLink } from '../ui/text-link.ts';
import { ProductDemo } from './ProductDemo.tsx';

export interface AuthPageProps {
  readonly title: string;
  readonly titleRef?: Ref<HTMLHeadingElement>;
  readonly intro: ReactNode;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}

export function AuthPage({ title, titleRef, intro, children, footer }: AuthPageProps) {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const inputs = [...(form.current?.querySelectorAll<HTMLInputElement>('input:not([hidden])') ?? [])];
    (inputs.find(({ value }) => value === '') ?? inputs.at(-1))?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="relative flex flex-1 overflow-clip">
      <div className="mx-auto grid w-full max-w-[1200px] flex-1 items-stretch px-4 sm:px-6 lg:grid-cols-2">
        <div
          ref={form}
          className="w-full max-w-[400px] justify-self-center py-10 sm:py-16 lg:justify-self-start lg:py-24"
        >
          <PageTitle ref={titleRef} className="text-[32px] leading-10">
            {title}
          </PageTitle>
          <p className="mt-2 mb-8 text-muted">{intro}</p>
          {children}
          {footer !== undefined && <div className="mt-6 flex flex-col gap-2 text-m text-muted">{footer}</div>}
        </div>
      </div>
      <div className="absolute inset-y-0 left-1/2 hidden w-1/2 overflow-clip border-l border-line lg:block">
        <Contours className="absolute top-1/2 left-1/2 h-[840px] w-[960px] max-w-none -translate-x-1/2 -translate-y-1/2" />
        <div className="absolute top-1/2 left-1/2 w-[min(440px,100%-64px)] -translate-x-1/2 -translate-y-1/2">
          <ProductDemo />
        </div>
      </div>
    </div>
  );
}

export function BackToSignIn({ email }: { readonly email?: string | undefined }) {
  const { state } = useLocation();
  return (
    <p>
      <Link to="/sign-in" state={{ ...state, ...(email && { email }) }} className={textLink}>
        Back to Sign In
      </Link>
    </p>
  );
}
