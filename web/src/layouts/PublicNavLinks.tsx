import { Link } from '@tanstack/react-router';
import { publicNav } from './public-nav.ts';

/** The entries of the public navigation, with the open one marked. */
export function PublicNavLinks({ className }: { readonly className: string }) {
  return publicNav.map(({ to, name }) => (
    <Link key={to} to={to} activeOptions={{ exact: true }} className={className}>
      {name}
    </Link>
  ));
}
