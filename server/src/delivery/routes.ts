import { fileRoot, speedTestPath } from '@holdfast/contract/src/public-files.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context, LinkContext } from '../context.ts';
import { clientKey } from '../http/client-address.ts';
import { anyOrigin } from '../http/response-headers.ts';
import { createBlobCache } from './blob-cache.ts';
import { createDownloadBursts } from './download-bursts.ts';
import type { SiteOfPage } from './error-page.ts';
import { createShowFailure } from './failure-pages.ts';
import { textResponse } from './file-response.ts';
import type { HitCounter } from './hits.ts';
import type { LookUp } from './look-up.ts';
import { createPlainLinks, openShortWay } from './plain-links.ts';
import { createRefuse, noSuchFile, notOnFileHost } from './refusals.ts';
import { fileHostRobotsText } from './robots.ts';
import { sendFromMemory } from './send-response.ts';
import { createLinkServer } from './serve-link.ts';
import { createSpeedTest } from './speed-test.ts';
import { openThrottle } from './throttle.ts';

type Get = FastifyRequest<{ Querystring: Record<string, unknown> }>;

export function openDelivery(
  app: FastifyInstance,
  context: LinkContext,
  { look, db, hits }: { readonly look: LookUp; readonly db: Context['db']; readonly hits: HitCounter },
): void {
  const cache = createBlobCache(context);
  const throttle = openThrottle();
  const bursts = createDownloadBursts(context.config.downloadBurst);
  const serveLink = createLinkServer({ context, look, db, hits, cache, throttle, bursts });
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
  openShortWay(app.server, createPlainLinks(context, serveLink));
  app.addHook('onClose', async () => {
    throttle[Symbol.dispose]();
    await hits[Symbol.asyncDispose]();
  });
}

/** Any site's script may fetch a public link, including ranges. */
const publicPreflight = {
  ...anyOrigin,
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Range, If-Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since',
  'Access-Control-Max-Age': '86400',
  Allow: 'GET, HEAD, OPTIONS',
} as const;

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

export function createLinkRefusals(config: SiteOfPage) {
  const refuse = createRefuse(config);
  return {
    refuseOnFileHost({ raw, method, routeOptions }: FastifyRequest, reply: FastifyReply): void {
      reply.hijack();
      const isRobots = routeOptions.url === '/robots.txt' && (method === 'GET' || method === 'HEAD');
      if (isRobots) sendFromMemory(reply.raw, textResponse(method, 200, fileHostRobotsText.trimEnd()));
      else refuse(raw, reply.raw, notOnFileHost);
    },
    showFailure: createShowFailure(config),
    refuseBrokenLink({ raw }: FastifyRequest, reply: FastifyReply): void {
      reply.hijack();
      refuse(raw, reply.raw, noSuchFile);
    },
  };
}
