import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

/** More requests than any real client pipelines on one connection. */
const mostAhead = 64;

/**
 * Closes a connection with more pending requests than an honest client sends. Each of them costs memory and a lookup,
 * however slowly the client reads the responses.
 */
export function limitPipelining(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > mostAhead) {
      reply.hijack();
      socket.resetAndDestroy();
      return;
    }
    // Each pending response adds its own listener for the end of the connection.
    if (count === 8) socket.setMaxListeners(mostAhead * 4);
    reply.raw.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    done();
  });
}
