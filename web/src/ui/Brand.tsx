import { Link } from '@tanstack/react-router';
import { site } from '../lib/site.ts';
import { Mark } from './Mark.tsx';

export function Brand() {
  return (
    <Link to="/" className="flex min-h-control items-center gap-2.5 text-l font-semibold tracking-[-0.01em]">
      <Mark />
      {site.name}
    </Link>
  );
}
