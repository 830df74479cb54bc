/** Body parsing: the framework parses JSON, the upload parses its own form, and nothing else is accepted. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance } from 'fastify';
import { respondNotFound } from './fallbacks.ts';
import { sendContinue } from './send-continue.ts';
import { discardUnwantedBody, hurryUnwantedBody } from './refused-body.ts';
import { repeatedFieldOf } from './repeated-field.ts';
import { takesMultipart } from './serve.ts';
import { watchSlowBody } from './slow-body.ts';

export function takeBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['text/plain', 'application/json']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Many clients send a content type on every call, even without a body.
    if (body === '' && !request.routeOptions.config.endpoint?.body) return done(null);
    const json = String(body);
    return parseJson(request, json, (error, value) => {
      const repeated = error ? undefined : repeatedFieldOf(json);
      if (repeated === undefined) return done(error, value);
      return done(new Failure('INVALID_INPUT', `'${repeated.slice(0, 60)}' is sent twice`));
    });
  });
  app.addContentTypeParser('multipart/form-data', (request, _payload, done) =>
    done(takesMultipart(request) ? null : new Failure('UNSUPPORTED_MEDIA_TYPE')),
  );
  app.addHook('onRequest', async (request, reply) => {
    const { headers } = request;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    // The body of a GET is ignored: it is drained for as long as the response takes, but not long after it.
    if (hasBody && (request.method === 'GET' || request.method === 'HEAD')) {
      request.raw.resume();
      reply.raw.once('finish', () => discardUnwantedBody(request.raw));
    } else if (hasBody && request.is404) {
      // The framework would read the body first.
      return respondNotFound(request, reply);
    } else if (hasBody) {
      // An upload invites and watches its body itself, once it reads it.
      if (takesMultipart(request)) return;
      watchSlowBody(request.raw);
      const { endpoint } = request.routeOptions.config;
      if (endpoint && !endpoint.body) hurryUnwantedBody(request.raw);
    }
    sendContinue(request, reply);
  });
  // Without this listener, Node would invite every body before its headers are checked.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
}
