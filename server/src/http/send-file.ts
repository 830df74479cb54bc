import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';

/** What a download decided to send; how it travels is not its business. */
export interface FileAnswer {
  /** Bytes. */
  readonly size: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly read: () => AsyncIterable<Buffer>;
  /** Called once, when the first byte of the file is about to go out. */
  readonly onFirstByte: () => void;
}

export function sendFile(request: FastifyRequest, reply: FastifyReply, answer: FileAnswer): FastifyReply {
  reply.headers({ ...answer.headers, 'Content-Length': String(answer.size) });
  if (request.method === 'HEAD') return reply.send();
  if (answer.size === 0) {
    answer.onFirstByte();
    return reply.send('');
  }
  return reply.send(Readable.from(notingFirstByte(answer), { objectMode: false, highWaterMark: 0 }));
}

async function* notingFirstByte(answer: FileAnswer): AsyncGenerator<Buffer> {
  let first = true;
  for await (const chunk of answer.read()) {
    if (first) answer.onFirstByte();
    first = false;
    yield chunk;
  }
}
