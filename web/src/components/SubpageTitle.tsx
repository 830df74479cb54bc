import { Link } from '@tanstack/react-router';
import { PageTitle } from '../ui/PageTitle.tsx';

export interface SubpageTitleProps {
  readonly to: '/dashboard/settings' | '/dashboard/plan-info' | '/dashboard/file-management';
  readonly overview: string;
  readonly children: string;
}

/** Heading of a page with a link to its overview page: `Settings / Security`. */
export function SubpageTitle({ to, overview, children }: SubpageTitleProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 text-title-m">
      <Link to={to} className={way}>
        {overview}
      </Link>
      <span aria-hidden className="text-edge">
        /
      </span>
      <PageTitle>{children}</PageTitle>
    </div>
  );
}

const way =
  'font-semibold tracking-[-0.02em] text-muted hover:text-ink hover:underline hover:decoration-1 hover:underline-offset-4 ' +
  'phone:-my-1.5 phone:flex phone:min-h-11 phone:items-center';
