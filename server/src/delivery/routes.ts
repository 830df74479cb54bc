import { fileRoot, speedTestPath } from '@holdfast/contract/src/public-files.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LinkContext } from '../context.ts';
import { clientKey } from '../http/client-address.ts';
import { sendFromMemory } from './send-response.ts';
import { createBlobCache } from './blob-cache.ts';
import { createLinkServer, type ServeLink } from './serve-link.ts';
import { noCrawlers, noSuchFile, publicPreflight } from './file-headers.ts';
import type { HitCounter } from './hits.ts';
import type { LookUp } from './look-up.ts';
import { createPreviewBursts } from './preview-bursts.ts';
import { createSpeedTest } from './speed-test.ts';
import { openThrottle } from './throttle.ts';

export interface PublicDelivery extends AsyncDisposable {
  readonly serveLink: ServeLink;
}

type Get = FastifyRequest<{ Querystring: Record<string, unknown> }>;

/** The parts that differ between kinds of nodes: one looks up files, and the other counts their hits. */
export interface LinkSources {
  readonly look: LookUp;
  readonly hits: HitCounter;
}

/** Public endpoints that need no account. The framework only routes; the handlers send the bytes themselves. */
export function openDelivery(app: FastifyInstance, context: LinkContext, { look, hits }: LinkSources): PublicDelivery {
  const cache = createBlobCache(context);
  const throttle = openThrottle();
  const bursts = createPreviewBursts(context.config.previewBurst);
  const serveLink = createLinkServer({ context, look, hits, cache, throttle, bursts });
  const testSpeed = createSpeedTest(context, throttle);

  getAndHead(app, `${fileRoot}*`, (request, reply) =>
    serveLink({
      raw: request.raw,
      response: reply.raw,
      target: (request.params as { '*': string })['*'],
      counted: request.query['no-count'] !== 'true',
      client: clientKey(request.ip),
    }),
  );
  getAndHead(app, speedTestPath, (request, reply) =>
    testSpeed({ raw: request.raw, response: reply.raw, tier: request.query['tier'], client: clientKey(request.ip) }),
  );
  for (const url of [`${fileRoot}*`, speedTestPath])
    app.options(url, (_request, reply) => reply.code(204).headers(publicPreflight).send());
  return {
    serveLink,
    async [Symbol.asyncDispose]() {
      throttle[Symbol.dispose]();
      await hits[Symbol.asyncDispose]();
    },
  };
}

function getAndHead(
  app: FastifyInstance,
  url: string,
  send: (request: Get, reply: FastifyReply) => Promise<void>,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url,
    exposeHeadRoute: false,
    handler: (request: Get, reply: FastifyReply) => {
      reply.hijack();
      return send(request, reply);
    },
  });
}

/** A file host serves only files, and has its own robots.txt for crawlers. */
export function refuseOnFileHost(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  const read = request.method === 'GET' || request.method === 'HEAD';
  const answer = read && request.routeOptions.url === '/robots.txt' ? noCrawlers : noSuchFile;
  sendFromMemory(reply.raw, answer(request.method));
}
