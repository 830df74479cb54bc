import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { createSemaphore } from '../lib/semaphore.ts';
import { clientSignal } from './client-signal.ts';

/** Bodies that are read at the same time. The others wait on their connections, unread. */
const mostAtOnce = 8;
const mostWaiting = 50;
/** An honest sender has the whole body ready. */
const longestBodyMs = 10_000;

/**
 * Registers routes whose bodies are taken as raw bytes, whatever their content type, because a signature covers each
 * byte. Nobody has proven yet to be the sender while a body is read, so the memory for all of them is limited: 8 at a
 * time, of `mostBytes` each. Beyond 50 that wait the response is 503. `refuse` may throw before the body is read.
 */
export function withRawBodies(
  app: FastifyInstance,
  { mostBytes, refuse }: { readonly mostBytes: number; readonly refuse: (request: FastifyRequest) => Promise<void> },
  addRoutes: (scope: FastifyInstance) => void,
): void {
  const inTurn = createSemaphore(mostAtOnce, mostWaiting);
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.addHook('onRequest', async (request) => {
      await refuse(request);
      if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw new Failure('PAYLOAD_TOO_LARGE');
    });
    scope.addHook('preParsing', async ({ raw }) => {
      await new Promise<void>((resolve, reject) => {
        const read = () => {
          resolve();
          return bodyEnd(raw);
        };
        inTurn(read, clientSignal(raw)).catch(reject);
      });
    });
    addRoutes(scope);
  });
}

/** Resolves when the body has been read or its connection is closed, which happens after `longestBodyMs`. */
function bodyEnd(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => request.socket.resetAndDestroy(), longestBodyMs);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once('end', end).once('close', end);
  });
}
