import { failureToReply } from '@holdfast/contract/src/envelope.ts';
import { type ErrorCode, Failure } from '@holdfast/contract/src/errors.ts';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** What Node says of a request that it could not read, in our catalogue. */
const codeOf: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Answers what is not HTTP, or too much of it, in the envelope, and ends the connection: its state is unknown. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const failure = new Failure(codeOf[error.code ?? ''] ?? 'INVALID_INPUT', undefined, { cause: error });
  const body = JSON.stringify(failureToReply(failure, false));
  socket.end(
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\nConnection: close\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\r\n${body}`,
  );
}
