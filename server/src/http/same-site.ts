import type { IncomingHttpHeaders } from 'node:http';

/** Older browsers send `Origin` at least. A client that sends neither header is not a browser. */
export function isCrossSite(headers: IncomingHttpHeaders, publicUrl: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return headers.origin !== undefined && !isOurs(headers.origin, headers, publicUrl);
}

/** No other site can make a browser send `none`. Older browsers send a `Referer`, unless a page forbids it. */
export function isSameSiteNavigation(headers: IncomingHttpHeaders, publicUrl: string | null): boolean {
  const site = headers['sec-fetch-site'];
  const mode = headers['sec-fetch-mode'];
  if (site !== undefined)
    return (site === 'same-origin' || site === 'none') && (mode === undefined || mode === 'navigate');
  const from = headers.origin ?? headers.referer;
  return from !== undefined && isOurs(from, headers, publicUrl);
}

function isOurs(from: string, { host }: IncomingHttpHeaders, publicUrl: string | null): boolean {
  if (!URL.canParse(from)) return false;
  // Without a public URL, the address of this request counts as the site's.
  return publicUrl === null ? new URL(from).host === host : new URL(from).origin === publicUrl;
}
