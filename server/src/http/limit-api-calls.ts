import { apiRoot } from '@holdfast/contract/src/calls.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from './api-rate-limit.ts';
import { headersFor } from './serve.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False if a signature identifies the caller: a provider's events come in bursts from one address. */
    countsCalls?: boolean;
  }
}

/** Counts every request below `/api`, even to paths that do not exist. */
export function limitApiCalls(app: FastifyInstance, rateLimit: RateLimit): void {
  app.addHook('onRequest', (request, reply) => admitApiCall(rateLimit, request, reply));
}

/** Counts requests that the framework handles before its hooks run, such as a path that it cannot decode. */
export async function admitApiCall(rateLimit: RateLimit, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!isApiCall(request) || request.routeOptions.config.countsCalls === false) return;
  const { endpoint } = request.routeOptions.config;
  // Lets scripts of other sites read a refusal too.
  if (endpoint) reply.headers(headersFor(endpoint));
  await rateLimit.admit(request, reply);
}

function isApiCall({ method, routeOptions, url }: FastifyRequest): boolean {
  // Decides by the matched route, which has percent escapes decoded; without a route for the method, by the path.
  const path = routeOptions.url ?? url.split('?', 1)[0] ?? '';
  // A CORS preflight is answered from memory; the call that follows is counted.
  const preflight = method === 'OPTIONS' && routeOptions.url !== undefined && !path.endsWith('*');
  return !preflight && (path === apiRoot || path.startsWith(`${apiRoot}/`));
}
