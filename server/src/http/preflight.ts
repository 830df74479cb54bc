import { uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import { endpoints, type Endpoint } from '@holdfast/contract/src/endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { apiHeaders } from './failures.ts';
import { methodsOf } from './methods-of.ts';

/** Answers CORS preflights for the routes that accept an API key. */
export function servePreflights(app: FastifyInstance): void {
  for (const endpoint of Object.values<Endpoint>(endpoints).filter(({ access }) => access === 'account')) {
    for (const url of [endpoint.path, ...(endpoint.aliases ?? [])]) {
      app.options(url, (_request, reply) =>
        reply
          .code(204)
          .headers({
            ...apiHeaders,
            'Access-Control-Allow-Origin': '*',
            // HEAD needs no permission: scripts may always send it (Fetch, 2.2.1).
            'Access-Control-Allow-Methods': endpoint.method,
            'Access-Control-Allow-Headers': headersFor(endpoint),
            'Access-Control-Max-Age': '86400',
            Allow: [...methodsOf(endpoint), 'OPTIONS'].join(', '),
          })
          .send(),
      );
    }
  }
}

const headersFor = ({ bodyType }: Endpoint): string =>
  ['X-API-Key', 'Content-Type', ...(bodyType === 'multipart' ? [uploadKeyHeader] : [])].join(', ');
