import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns whether the browser navigates to this address from a page of this site, or because its user typed the address
 * or opened a bookmark: no other site can make a browser send `none`. Browsers without `Sec-Fetch-Site` send no
 * `Origin` with such a navigation but a `Referer`, unless a page forbids it. A request without any of these may come
 * from anywhere and is rejected.
 */
export function isSameSiteNavigation({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl: string | null): boolean {
  const site = headers['sec-fetch-site'];
  const mode = headers['sec-fetch-mode'];
  if (site !== undefined) return (site === 'same-origin' || site === 'none') && isNavigation(mode);
  const from = headers.origin ?? headers.referer;
  return from !== undefined && URL.canParse(from) && isOurs(new URL(from), headers, publicUrl);
}

/** Excludes images and script requests. Some browsers do not send the mode. */
const isNavigation = (mode: string | string[] | undefined) => mode === undefined || mode === 'navigate';

function isOurs({ origin, host }: URL, headers: IncomingHttpHeaders, publicUrl: string | null): boolean {
  // No public URL is configured, so the address of this request counts as the site's.
  return publicUrl === null ? host === headers.host : origin === publicUrl;
}
