import { uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import { endpoints, type Endpoint } from '@holdfast/contract/src/endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { apiHeaders } from './failures.ts';
import { methodsOf } from './methods-of.ts';

/**
 * Scripts of every site may use calls that accept an API key, public links and the description of the API: browsers
 * send no cookie with them.
 */
export const anyOrigin = { 'Access-Control-Allow-Origin': '*' } as const;

/** Headers of every response of a call. */
export function headersFor(endpoint: Endpoint): Record<string, string> {
  return endpoint.access === 'account' ? { ...apiHeaders, ...openToAllSites } : apiHeaders;
}

const openToAllSites = {
  ...anyOrigin,
  'Access-Control-Expose-Headers': 'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Responds to CORS preflights for the routes that accept an API key. */
export function servePreflights(app: FastifyInstance): void {
  for (const endpoint of Object.values<Endpoint>(endpoints).filter(({ access }) => access === 'account')) {
    for (const url of [endpoint.path, ...(endpoint.aliases ?? [])]) {
      app.options(url, (_request, reply) =>
        reply
          .code(204)
          .headers({
            ...apiHeaders,
            ...anyOrigin,
            // HEAD needs no permission: scripts may always send it (Fetch, 2.2.1).
            'Access-Control-Allow-Methods': endpoint.method,
            'Access-Control-Allow-Headers': requestHeadersOf(endpoint),
            'Access-Control-Max-Age': '86400',
            Allow: [...methodsOf(endpoint), 'OPTIONS'].join(', '),
          })
          .send(),
      );
    }
  }
}

const requestHeadersOf = ({ bodyType }: Endpoint): string =>
  ['X-API-Key', 'Content-Type', ...(bodyType === 'multipart' ? [uploadKeyHeader] : [])].join(', ');
