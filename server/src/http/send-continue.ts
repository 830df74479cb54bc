import type { FastifyReply, FastifyRequest } from 'fastify';

/** Asks a client that waits before sending its body (`Expect: 100-continue`) to send it. */
export function sendContinue(request: FastifyRequest, reply: FastifyReply): void {
  if (/^100-continue$/i.test(request.headers.expect ?? '')) reply.raw.writeContinue();
}
