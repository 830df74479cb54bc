import { failureToReply } from '@holdfast/contract/src/envelope.ts';
import { type ErrorCode, Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance } from 'fastify';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { apiHeaders } from './failures.ts';
import { takesMultipart } from './serve.ts';

/** Maps Node's errors for requests that it could not parse to the error catalog. */
const codeOf: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

interface Pending {
  readonly answer: ServerResponse;
  readonly asText: boolean;
}

/** The pending response of each connection. */
const pendingOf = new WeakMap<Socket, Pending>();

export function rememberPendingAnswers(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    pendingOf.set(request.raw.socket, { answer: reply.raw, asText: takesMultipart(request) });
  });
}

/**
 * Sends an enveloped error for a request that is not HTTP or is too large, and closes the connection, because its state
 * is unknown. A complete request that came before the broken part still gets its own response.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  const pending = pendingOf.get(socket);
  const underWay = pending && !pending.answer.writableFinished ? pending : undefined;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
  } else if (underWay?.answer.req.complete) {
    underWay.answer.once('close', () => socket.destroySoon());
  } else if (underWay?.asText) {
    socket.end(answerWith(new Failure('UPLOAD_INTERRUPTED', undefined, { cause: error }), true));
  } else {
    socket.end(
      answerWith(new Failure(codeOf[error.code ?? ''] ?? 'INVALID_INPUT', undefined, { cause: error }), false),
    );
  }
}

function answerWith(failure: Failure, asText: boolean): string {
  const body = JSON.stringify(failureToReply(failure, asText));
  return (
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\nConnection: close\r\n` +
    `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
    `${headerLines}\r\n${body}`
  );
}

const headerLines = Object.entries(apiHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');
