import { Failure } from '@holdfast/contract/src/errors.ts';
import { tusContentType } from '@holdfast/contract/src/resumable.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { respondNotFound } from './fallbacks.ts';
import { discardUnwantedBody, endBodyAfter, endSlowBody, hurriedMs } from './body-deadlines.ts';
import { refuseUnlessForm } from './multipart.ts';
import { takesMultipart, takesStream } from './serve.ts';
import { sendContinue } from './upload-form.ts';

/** Twice the longest call, which deletes 500 files. */
export const jsonBodyBytes = 64 * 1024;

export function takeBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['text/plain', 'application/json']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '' && !request.routeOptions.config.endpoint?.body) return done(null);
    return parseJson(request, String(body), done);
  });
  app.addContentTypeParser('multipart/form-data', (request, _payload, done) =>
    done(takesMultipart(request) ? null : new Failure('UNSUPPORTED_MEDIA_TYPE')),
  );
  app.addContentTypeParser(tusContentType, (request, _payload, done) =>
    done(takesStream(request) && !takesMultipart(request) ? null : new Failure('UNSUPPORTED_MEDIA_TYPE')),
  );
  app.addContentTypeParser('*', (_request, _payload, done) => done(new Failure('UNSUPPORTED_MEDIA_TYPE')));
  app.addHook('onRequest', async (request, reply) => {
    const { headers } = request;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (hasBody && (request.method === 'GET' || request.method === 'HEAD')) {
      request.raw.resume();
      reply.raw.once('finish', () => discardUnwantedBody(request.raw));
    } else if (hasBody && request.is404) {
      // The framework would read the body first.
      return respondNotFound(request, reply);
    } else if (hasBody) {
      if (takesStream(request)) return;
      endSlowBody(request.raw);
      const { endpoint } = request.routeOptions.config;
      if (endpoint && !endpoint.body) endBodyAfter(request.raw, hurriedMs);
    }
    sendContinue(request.raw, reply.raw);
  });
  app.addHook('preParsing', async (request) => {
    const { 'content-type': type, 'transfer-encoding': coding, 'content-length': length = '0' } = request.headers;
    const isEmpty = type === undefined && coding === undefined && length === '0';
    if (takesMultipart(request) && !isEmpty) refuseUnlessForm(type);
  });
  // Without this listener, Node would invite every body before its headers are checked.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  // Any other expectation may be ignored (RFC 9110, section 10.1.1); Node would refuse it without an envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}

/** Of any type: the handlers read them. */
export function withUnreadBodies(app: FastifyInstance, addRoutes: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    addRoutes(scope);
  });
}

/** Their senders are unknown while they are read. Those of an honest one are there at once. */
const mostRawBodies = 64;

/** Of too many that have not arrived, the oldest is ended, so that slow ones from many addresses hold up no other. */
export function withRawBodies(
  app: FastifyInstance,
  { mostBytes, refuse }: { readonly mostBytes: number; readonly refuse: (request: FastifyRequest) => Promise<void> },
  addRoutes: (scope: FastifyInstance) => void,
): void {
  const arriving = new Set<IncomingMessage>();
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
      const oldest = arriving.size < mostRawBodies ? undefined : [...arriving].find(({ complete }) => !complete);
      if (oldest) {
        arriving.delete(oldest);
        oldest.socket.resetAndDestroy();
      }
      arriving.add(raw);
      endBodyAfter(raw, hurriedMs, () => arriving.delete(raw));
    });
    addRoutes(scope);
  });
}
