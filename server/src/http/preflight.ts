import { endpoints, type Endpoint } from '@holdfast/contract/src/endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { keyCallPreflight } from './cors.ts';
import { apiHeaders } from './failures.ts';
import { methodsOf } from './methods-of.ts';

/** Responds to CORS preflights for the routes that accept an API key. */
export function servePreflights(app: FastifyInstance): void {
  for (const endpoint of Object.values<Endpoint>(endpoints).filter(({ access }) => access === 'account')) {
    for (const url of [endpoint.path, ...(endpoint.aliases ?? [])]) {
      app.options(url, (_request, reply) =>
        reply
          .code(204)
          .headers({
            ...apiHeaders,
            ...keyCallPreflight(endpoint),
            Allow: [...methodsOf(endpoint), 'OPTIONS'].join(', '),
          })
          .send(),
      );
    }
  }
}
