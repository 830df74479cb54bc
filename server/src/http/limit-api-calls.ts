import { apiRoot } from '@holdfast/contract/src/calls.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from './rate-limit.ts';
import { headersFor } from './serve.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False where a signature says who calls: what a provider has to tell comes in bursts, from one address. */
    countsCalls?: boolean;
  }
}

/** Whatever is asked below `/api` counts, whether there is such a call or not. */
export function limitApiCalls(app: FastifyInstance, rateLimit: RateLimit): void {
  app.addHook('onRequest', (request, reply) => admitApiCall(rateLimit, request, reply));
}

/** For what the framework answers before its hooks run: a path that it cannot read. */
export async function admitApiCall(rateLimit: RateLimit, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!isApiCall(request) || request.routeOptions.config.countsCalls === false) return;
  const { endpoint } = request.routeOptions.config;
  // A script of another site may read a refusal too.
  if (endpoint) reply.headers(headersFor(endpoint));
  await rateLimit.admit(request, reply);
}

function isApiCall({ method, routeOptions, url }: FastifyRequest): boolean {
  // By the route, which has seen through percent escapes; where there is none for the method, by the path.
  const path = routeOptions.url ?? url.split('?', 1)[0] ?? '';
  // A browser that asks whether it may call is answered from memory, and its call is counted.
  const preflight = method === 'OPTIONS' && routeOptions.url !== undefined && !path.endsWith('*');
  return !preflight && (path === apiRoot || path.startsWith(`${apiRoot}/`));
}
