import { Link } from '@tanstack/react-router';
import { PageTitle } from '../../ui/PageTitle.tsx';

export interface TitleBelowProps {
  /** The page that gives the overview of this one and its like. */
  readonly to: '/dashboard/settings' | '/dashboard/plan-info';
  readonly overview: string;
  readonly children: string;
}

/** The heading of a page that has an overview above it, with the way there: `Settings / Security`. */
export function TitleBelow({ to, overview, children }: TitleBelowProps) {
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
