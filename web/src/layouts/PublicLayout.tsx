import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { site } from '../lib/site.ts';
import { Mark } from '../ui/Brand.tsx';
import { ThemeSwitch } from '../ui/ThemeSwitch.tsx';
import { PublicHeader } from './PublicHeader.tsx';
import { SkipLink } from './SkipLink.tsx';

export function PublicLayout({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <PublicHeader />
      <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        {children}
      </main>
      <PublicFooter />
    </div>
  );
}

function PublicFooter() {
  return (
    <footer className="print:hidden mt-auto border-t border-line">
      <div className="mx-auto flex max-w-[1200px] flex-wrap items-center gap-x-8 gap-y-4 px-4 py-8 text-m text-muted sm:px-6">
        <span className="flex items-center gap-2.5" title={`Holdfast ${site.version}`.trim()}>
          <Mark className="size-5 text-sea" />
          {site.name}
        </span>
        <nav aria-label="Legal" className="flex flex-wrap gap-x-6">
          {legalNav.map(({ to, name }) => (
            <Link key={to} to={to} className="flex min-h-control items-center hover:text-ink">
              {name}
            </Link>
          ))}
        </nav>
        <div className="sm:ml-auto">
          <ThemeSwitch />
        </div>
      </div>
    </footer>
  );
}

const legalNav = [
  { to: '/terms-of-service', name: 'Terms of Service' },
  { to: '/privacy-policy', name: 'Privacy Policy' },
  { to: '/dmca-policy', name: 'DMCA Policy' },
] as const;
