/** Cross-origin access by scripts (Fetch standard, CORS). */
import { uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import type { Endpoint } from '@holdfast/contract/src/endpoints.ts';

/**
 * Scripts of every site may use calls that accept an API key, public links and the description of the API: browsers
 * send no cookie with them.
 */
export const anyOrigin = { 'Access-Control-Allow-Origin': '*' } as const;

/** Headers of every response of a call that accepts an API key. */
export const keyCallCors = {
  ...anyOrigin,
  'Access-Control-Expose-Headers': 'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

/** Headers of the preflight of such a call. */
export const keyCallPreflight = ({ method, bodyType }: Endpoint) => ({
  ...anyOrigin,
  // HEAD needs no permission: scripts may always send it (Fetch, 2.2.1).
  'Access-Control-Allow-Methods': method,
  'Access-Control-Allow-Headers': [
    'X-API-Key',
    'Authorization',
    'Content-Type',
    ...(bodyType === 'multipart' ? [uploadKeyHeader] : []),
  ].join(', '),
  'Access-Control-Max-Age': '86400',
});
