import { Link } from '@tanstack/react-router';
import { site } from '../lib/site.ts';

/** Links of the public navigation. The current page is marked. */
export function PublicNavLinks({ className }: { readonly className: string }) {
  return publicNav.map(({ to, name }) => (
    <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }} className={className}>
      {name}
    </Link>
  ));
}

/** Entries of the public navigation in order; the Contact menu follows them. */
const publicNav = [
  { to: '/', name: 'Home' },
  { to: '/about-us', name: 'About Us' },
  { to: '/speed-test', name: 'Speed Test' },
  ...(site.pricing ? ([{ to: '/plan-pricing', name: 'Pricing' }] as const) : []),
  { to: '/api-docs', name: 'API Docs' },
  { to: '/faqs', name: 'FAQs' },
] as const;
