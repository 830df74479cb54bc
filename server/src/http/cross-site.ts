import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a write comes from a page of another site (decisions section 3). Browsers say so in `Sec-Fetch-Site`;
 * older ones send `Origin` at least; who sends neither is not a browser and carries no one's cookies by accident.
 */
export function isCrossSite(headers: IncomingHttpHeaders, publicUrl: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined) return false;
  if (publicUrl !== null) return origin !== publicUrl;
  // Nobody has said what our address is: it is the one that this request was sent to.
  return !URL.canParse(origin) || new URL(origin).host !== headers.host;
}
