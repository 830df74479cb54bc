import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns the different API keys in the headers of a request: in `X-API-Key`, and as a Bearer token (RFC 6750,
 * section 2.1). More than one is a mistake of the client. Other schemes of `Authorization` may belong to a proxy and are
 * ignored.
 */
export function sentKeys({ 'x-api-key': plain = [], authorization = '' }: IncomingHttpHeaders): readonly string[] {
  const bearer = /^Bearer(?: +(.*))?$/i.exec(authorization);
  return [...new Set([plain, bearer ? (bearer[1] ?? '') : []].flat())];
}
