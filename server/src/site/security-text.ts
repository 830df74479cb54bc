import type { Context } from '../context.ts';
import { days } from '../lib/clock.ts';

/** Returns the contact for vulnerability reports (RFC 9116), or null if the operator configured none. */
export function securityText({ config, origins, clock }: Pick<Context, 'config' | 'origins' | 'clock'>): string | null {
  const { contactEmail } = config.site;
  if (contactEmail === null) return null;
  return [
    `Contact: mailto:${encodeURIComponent(contactEmail).replace('%40', '@')}`,
    // Section 2.5.5 recommends less than a year. The date is computed for each response, so it never expires.
    `Expires: ${new Date(clock.now() + days(180)).toISOString()}`,
    `Canonical: ${origins.app}/.well-known/security.txt`,
    'Preferred-Languages: en',
    '',
  ].join('\n');
}
