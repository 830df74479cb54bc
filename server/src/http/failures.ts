import { failureToReply } from '@holdfast/contract/src/envelope.ts';
import { type ErrorCode, Failure } from '@holdfast/contract/src/errors.ts';
import { isPublicFilePath } from '@holdfast/contract/src/public-files.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { QueueFull } from '../lib/semaphore.ts';
import { DatabaseReadOnly, DatabaseUnavailable, isDatabaseFull } from '../storage/db/database.ts';
import { publicHeaders } from './public-link-headers.ts';
import { noteRefusal } from './security-events.ts';

/**
 * Sends a failure in the envelope; `asText` is for `upload`, whose errors are plain strings. At a public link it sends
 * a sentence with the headers of public links.
 */
export function sendFailure(reply: FastifyReply, failure: Failure, asText = false): FastifyReply {
  noteRefusal(reply.request, failure.code);
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
    .send(failureToReply(failure, asText));
}

/** Seconds. How long an outage lasts is unknown; this spreads the retries without delaying the recovery. */
export const unavailableFor = 2;

/** Headers that describe the body of a response that could not be sent. The content type is overwritten. */
const ofAnotherBody = ['Content-Length', 'Content-Encoding', 'Content-Range', 'Accept-Ranges', 'ETag', 'Last-Modified'];

/** Headers of every API response: it must not be cached, sniffed, framed or run. */
export const apiHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** Maps the framework's own errors, by status, to the error catalog. */
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

/**
 * Converts anything thrown to a Failure. An unexpected error is logged, reported, and becomes a 500 without details.
 */
export function toFailure(
  error: unknown,
  request: FastifyRequest,
  { log, reports }: Pick<Context, 'log' | 'reports'>,
): Failure {
  if (error instanceof QueueFull) return new Failure('UNAVAILABLE', busy, { retryAfterSeconds: 5 });
  if (error instanceof Failure) {
    if (error.status < 500) return error;
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
  // A full disk refuses every change, not only uploads.
  return new Failure(isDatabaseFull(error) ? 'UNAVAILABLE' : 'INTERNAL', undefined, { cause: error });
}

/** A move to another place takes minutes after it has begun to refuse changes. */
const beingMoved = (cause: DatabaseReadOnly): Failure =>
  new Failure(
    'UNAVAILABLE',
    'This site is being moved, so nothing can be changed at the moment. Files can still be downloaded. Try again in a few minutes.',
    { cause, retryAfterSeconds: 30 },
  );

/** Omits the query, which may contain secrets that must not be logged. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
