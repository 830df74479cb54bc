import { Link } from '@tanstack/react-router';
import { site } from '../lib/site.ts';
import { Mark } from '../ui/Mark.tsx';
import { ThemeSwitch } from '../ui/ThemeSwitch.tsx';
import { legalNav } from './public-nav.ts';

export function PublicFooter() {
  return (
    <footer className="print:hidden mt-auto border-t border-line">
      <div className="mx-auto flex max-w-[1200px] flex-wrap items-center gap-x-8 gap-y-4 px-4 py-8 text-m text-muted sm:px-6">
        <span className="flex items-center gap-2.5">
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
        <span className="sm:ml-auto">
          <ThemeSwitch />
        </span>
      </div>
    </footer>
  );
}
