import { failureToReply } from '@holdfast/contract/src/envelope.ts';
import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { type ErrorCode, Failure } from '@holdfast/contract/src/errors.ts';
import { tusPath } from '@holdfast/contract/src/resumable.ts';
import { isPublicFilePath } from '@holdfast/contract/src/public-files.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { QueueFull } from '../lib/semaphore.ts';
import { DatabaseReadOnly, DatabaseUnavailable, isDatabaseFull } from '../storage/db/database.ts';
import { apiHeaders, publicHeaders } from './response-headers.ts';
import { noteForLog } from './security-events.ts';

export function sendFailure(reply: FastifyReply, failure: Failure): FastifyReply {
  noteForLog(reply.request, { code: failure.code });
  const retryAfter = failure.retryAfterSeconds ?? (failure.code === 'UNAVAILABLE' ? unavailableFor : undefined);
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
  if (isPublicFilePath(reply.request.url))
    return reply
      .code(failure.status)
      .headers(publicHeaders)
      .type('text/plain; charset=utf-8')
      .send(`${failure.message}\n`);
  for (const name of ofAnotherBody) reply.removeHeader(name);
  return reply
    .code(failure.status)
    .headers(apiHeaders)
    .type('application/json; charset=utf-8')
    .send(failureToReply(failure, hasTextErrors(pathOf(reply.request))));
}

/** `curl --upload-file` adds the name of the file to a path that ends in a slash. */
export const isForUpload = (path: string): boolean =>
  [endpoints.upload.path, ...endpoints.upload.aliases].some((each) => `${path}/`.startsWith(`${each}/`));

const hasTextErrors = (path: string): boolean => isForUpload(path) || `${path}/`.startsWith(`${tusPath}/`);

/** Seconds. */
export const unavailableFor = 2;

const ofAnotherBody = ['Content-Length', 'Content-Encoding', 'Content-Range', 'Accept-Ranges', 'ETag', 'Last-Modified'];

const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'INVALID_INPUT',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

const busy = 'The server is busy. Try again in a few seconds.';

const messageOfFrameworkError: Readonly<Record<string, string>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The request body is empty. Expected a JSON object.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The request body does not have the length that Content-Length says.',
};

/** An unexpected error is logged, reported, and becomes a 500 without details. */
export function toFailure(
  error: unknown,
  request: Pick<FastifyRequest, 'url'>,
  { log, reports }: Pick<Context, 'log' | 'reports'>,
): Failure {
  if (error instanceof QueueFull) return new Failure('UNAVAILABLE', busy, { retryAfterSeconds: 5 });
  if (error instanceof Failure) {
    // Without a cause, the service does what it should.
    if (error.status < 500 || (error.code === 'UNAVAILABLE' && error.cause === undefined)) return error;
    log.error({ err: error, url: pathOf(request) }, 'request failed');
    reports.report(error, 'request');
    return error;
  }
  if (error instanceof DatabaseReadOnly) return beingMoved(error);
  // The engine logs an outage once, not once for each call.
  if (error instanceof DatabaseUnavailable) return new Failure('UNAVAILABLE', undefined, { cause: error });
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  const known = typeof statusCode === 'number' ? codeOfStatus[statusCode] : undefined;
  if (known) return new Failure(known, messageOfFrameworkError[String(code)]);
  log.error({ err: error, url: pathOf(request) }, 'request failed unexpectedly');
  reports.report(error, 'request');
  return new Failure(isDatabaseFull(error) ? 'UNAVAILABLE' : 'INTERNAL', undefined, { cause: error });
}

const beingMoved = (cause: DatabaseReadOnly): Failure =>
  new Failure(
    'UNAVAILABLE',
    'This site is being moved, so nothing can be changed at the moment. Files can still be downloaded. Try again in a few minutes.',
    { cause, retryAfterSeconds: 30 },
  );

/** Omits the query, which may contain secrets. */
export function pathOf(request: Pick<FastifyRequest, 'url'>): string {
  return request.url.split('?', 1)[0] ?? '';
}
