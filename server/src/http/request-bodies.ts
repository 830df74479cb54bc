/** How bodies are taken: JSON by the framework, a form by the upload itself, nothing else. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance } from 'fastify';
import { inviteBody } from './invite-body.ts';
import { discardUnwantedBody } from './refused-body.ts';
import { repeatedFieldOf } from './repeated-field.ts';
import { takesMultipart } from './serve.ts';
import { watchSlowBody } from './slow-body.ts';

export function takeBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['text/plain', 'application/json']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Many clients name the type on every call, also on those that take no body.
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
    // What comes with a GET is nobody's: it is read away, however long the answer takes, but not long after it.
    if (hasBody && (request.method === 'GET' || request.method === 'HEAD')) {
      request.raw.resume();
      reply.raw.once('finish', () => discardUnwantedBody(request.raw));
    } else if (hasBody) watchSlowBody(request.raw);
    // An upload invites its body itself, when it has decided to take it.
    if (!takesMultipart(request)) inviteBody(request, reply);
  });
  // Without a listener Node would invite every body before anybody has looked at its headers.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
}
