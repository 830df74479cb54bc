import { Link } from '@tanstack/react-router';
import { site } from '../lib/site.ts';

export function Brand() {
  return (
    <Link to="/" className="flex min-h-control items-center gap-2.5 text-l font-semibold tracking-[-0.01em]">
      <Mark />
      {site.name}
    </Link>
  );
}

/** The logo, a holdfast: a stem, and the roots that grip. */
export function Mark({ className = 'size-[22px] text-sea' }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className={className}>
      <path d={roots} fill="none" stroke="currentColor" strokeWidth="1.9" strokeLinecap="round" />
      <circle cx="12" cy="4" r="2" fill="currentColor" />
    </svg>
  );
}

const roots =
  'M12 2v9M12 11c0 4-2.5 5-4.5 6S4 20 3 22M12 11c0 4 2.5 5 4.5 6s3.5 3 4.5 5M12 11c0 5-1.5 7-2.5 11M12 11c0 5 1.5 7 2.5 11';
