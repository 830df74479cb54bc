import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a person's browser goes to this address from a page of ours, or because its person typed it or opened a
 * bookmark: no other site can make a browser say `none`. Browsers without `Sec-Fetch-Site` send no `Origin` with such a
 * visit but a `Referer`, unless a page forbids it; so who sends nothing may come from anywhere and is not let through.
 */
export function isSameSiteVisit({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl: string | null): boolean {
  const site = headers['sec-fetch-site'];
  const mode = headers['sec-fetch-mode'];
  if (site !== undefined) return (site === 'same-origin' || site === 'none') && isVisit(mode);
  const from = headers.origin ?? headers.referer;
  return from !== undefined && URL.canParse(from) && isOurs(new URL(from), headers, publicUrl);
}

/** Not an image or a script's call. Some browsers do not say. */
const isVisit = (mode: string | string[] | undefined) => mode === undefined || mode === 'navigate';

function isOurs({ origin, host }: URL, headers: IncomingHttpHeaders, publicUrl: string | null): boolean {
  // Nobody has said what our address is: it is the one that this request was sent to.
  return publicUrl === null ? host === headers.host : origin === publicUrl;
}
