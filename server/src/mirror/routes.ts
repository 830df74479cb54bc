import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { textResponse } from '../delivery/file-response.ts';
import { openHitCounter } from '../delivery/hits.ts';
import { openShortWay } from '../delivery/plain-links.ts';
import { createLinkRefusals, openDelivery } from '../delivery/routes.ts';
import { sendFromMemory } from '../delivery/send-response.ts';
import { discardUnwantedBody } from '../http/body-deadlines.ts';
import { rememberPendingAnswer } from '../http/broken-requests.ts';
import { respondNotFound } from '../http/fallbacks.ts';
import { isForPublicFiles } from '../http/hosts.ts';
import { openHttpApp } from '../http/http-app.ts';
import type { FilesContext } from './context.ts';
import { createMirrorLookUp } from './replica.ts';

export function buildFilesApp(context: FilesContext, stopping?: AbortSignal): FastifyInstance {
  const { config, primary } = context;
  const app = openHttpApp(context, {
    ...createLinkRefusals(config),
    async admit(request) {
      if (isForPublicFiles(request)) return;
      discardUnwantedBody(request.raw);
      // RFC 9110, section 15.5.20.
      const elsewhere = `This server only serves files. Everything else is at ${config.origins.app}.`;
      throw new Failure('MISDIRECTED', elsewhere);
    },
  });
  const hits = openHitCounter({ ...context, db: primary });
  openDelivery(app, context, { look: createMirrorLookUp(context), db: primary, hits });
  openShortWay(app.server, answerHealth(context, stopping));
  app.get('/robots.txt', respondNotFound);
  return app;
}

/** For programs that decide to which region a client is sent. Many of them only know an address. */
function answerHealth({ config, replicaWatch }: FilesContext, stopping?: AbortSignal) {
  const state = (): readonly [number, string] => {
    if (stopping?.aborted) return [503, 'stopping'];
    return replicaWatch.isFresh() || replicaWatch.problems.primary === null ? [200, 'ok'] : [503, 'unavailable'];
  };
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method = '', url } = request;
    if (url !== '/healthz' || (method !== 'GET' && method !== 'HEAD')) return false;
    rememberPendingAnswer(response, false);
    discardUnwantedBody(request);
    const [status, word] = state();
    const policy = ['Cache-Control', 'no-store'];
    sendFromMemory(response, textResponse(method, status, [word, config.region ?? []].flat().join(' '), policy));
    return true;
  };
}
