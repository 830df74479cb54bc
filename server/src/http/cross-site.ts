import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns whether a write comes from a page of another site. Browsers send `Sec-Fetch-Site`, older ones at least
 * `Origin`. A client that sends neither is not a browser, so it does not send a user's cookies by accident.
 */
export function isCrossSite(headers: IncomingHttpHeaders, publicUrl: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined) return false;
  if (publicUrl !== null) return origin !== publicUrl;
  // No public URL is configured, so the address of this request counts as the site's.
  return !URL.canParse(origin) || new URL(origin).host !== headers.host;
}
