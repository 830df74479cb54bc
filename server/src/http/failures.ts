import { failureToReply } from '@holdfast/contract/src/envelope.ts';
import { type ErrorCode, Failure } from '@holdfast/contract/src/errors.ts';
import { isPublicFilePath } from '@holdfast/contract/src/public-files.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { publicHeaders } from './public-link-headers.ts';

/**
 * Sends a failure in the envelope; `asText` is for `upload`, whose errors are plain strings. At a public link it sends
 * a sentence with the headers of public links.
 */
export function sendFailure(reply: FastifyReply, failure: Failure, asText = false): FastifyReply {
  if (failure.retryAfterSeconds !== undefined) reply.header('Retry-After', failure.retryAfterSeconds);
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
  if (error instanceof Failure) {
    if (error.status < 500) return error;
    log.error({ err: error, url: pathOf(request) }, 'request failed');
    reports.report(error, 'request');
    return error;
  }
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  const known = typeof statusCode === 'number' ? codeOfStatus[statusCode] : undefined;
  if (known) return new Failure(known, messageOfFrameworkError[String(code)]);
  log.error({ err: error, url: pathOf(request) }, 'request failed unexpectedly');
  reports.report(error, 'request');
  return new Failure('INTERNAL', undefined, { cause: error });
}

/** Omits the query, which may contain secrets that must not be logged. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
