import { failureToReply } from '@holdfast/contract/src/envelope.ts';
import { type ErrorCode, Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance } from 'fastify';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config/config.ts';
import { apiHeaders, guardHeaders } from './response-headers.ts';
import { takesStream } from './serve.ts';

const codeOf: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

interface Pending {
  readonly answer: ServerResponse;
  readonly asText: boolean;
}

const pendingOf = new WeakMap<Socket, Pending>();

export function rememberPendingAnswers(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => rememberPendingAnswer(reply.raw, takesStream(request)));
}

export function rememberPendingAnswer(answer: ServerResponse, asText: boolean): void {
  pendingOf.set(answer.req.socket, { answer, asText });
}

/**
 * Answers what is not HTTP. In the body of a request that is being answered, a second response would be taken for that
 * of the next one.
 */
export function answerBrokenRequests(config: Pick<Config, 'publicUrl'>) {
  const answerWith = createAnswers({ ...guardHeaders(config), ...apiHeaders });
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    const pending = pendingOf.get(socket);
    const underWay = pending && !pending.answer.writableFinished ? pending : undefined;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && !socket.writable) {
      // The kernel would keep what a slow sender has not taken.
      socket.resetAndDestroy();
    } else if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
    } else if (pending?.answer.headersSent && !pending.answer.req.complete) {
      socket.destroySoon();
    } else if (underWay?.answer.req.complete) {
      underWay.answer.once('close', () => socket.destroySoon());
    } else if (underWay?.asText) {
      socket.end(answerWith(new Failure('UPLOAD_INTERRUPTED', undefined, { cause: error }), true));
    } else {
      const code = codeOf[error.code ?? ''] ?? 'INVALID_INPUT';
      socket.end(answerWith(new Failure(code, undefined, { cause: error }), false));
    }
  };
}

function createAnswers(headers: Readonly<Record<string, string>>): (failure: Failure, asText: boolean) => string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (failure, asText) => {
    const body = JSON.stringify(failureToReply(failure, asText));
    return (
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\nConnection: close\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${lines.join('')}\r\n${body}`
    );
  };
}
