import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Socket } from 'node:net';
import { countSent, crowdedPiece, isCrowded, whenAllowed } from './send-allowance.ts';

/**
 * Makes every response wait until the client has taken the earlier ones: a pipelined request is handled when the
 * responses before it have been handed over, and a long body is sent in pieces. Public links do the same for each piece
 * (`send-response.ts`).
 */
export function answerAsRead(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const go = () => whenAllowed(socket, shortBytes, () => socket.destroyed || done());
    // Node gives a response its socket when the one before it has been sent.
    if (reply.raw.socket) go();
    else reply.raw.once('socket', go);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const isSent = request.method !== 'HEAD' && isLong(payload);
    done(null, isSent ? inPieces(request, reply, payload) : payload);
  });
}

/**
 * Returns whether a response may be sent at once: none before it on its connection is pending, and kernel memory is not short.
 * If so, its bytes are counted.
 */
export function mayAnswerAtOnce(response: ServerResponse): boolean {
  if (!response.socket || isCrowded()) return false;
  countSent(shortBytes);
  return true;
}

/** Bytes counted for a response without a long body, headers included. */
const shortBytes = 2 * 1024;

type Long = Readable | string | Buffer;

/** Bytes that are in memory need no pieces unless kernel memory is short. */
function isLong(payload: unknown): payload is Long {
  if (payload instanceof Readable) return true;
  const isBytes = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isBytes || payload.length <= crowdedPiece) return false;
  countSent(payload.length);
  return isCrowded();
}

function inPieces({ raw }: FastifyRequest, reply: FastifyReply, payload: Long): Readable {
  if (payload instanceof Readable) return streamInPieces(raw.socket, payload);
  const bytes = Buffer.from(payload);
  reply.header('Content-Length', bytes.length);
  return Readable.from(pieces(raw.socket, [bytes]), { objectMode: false });
}

function streamInPieces(socket: Socket, source: Readable): Readable {
  const out = Readable.from(pieces(socket, source), { objectMode: false });
  // Until the first read, nothing else would close the source or notice that it failed.
  out.once('close', () => source.destroy());
  source.once('error', (error) => out.destroy(error));
  return out;
}

async function* pieces(socket: Socket, chunks: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, isCrowded() ? at + crowdedPiece : chunk.length);
      await new Promise<void>((resolve) => whenAllowed(socket, piece.length, resolve));
      yield piece;
      at += piece.length;
    }
}
