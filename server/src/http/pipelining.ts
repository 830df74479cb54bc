import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

/** More than any client asks ahead on one connection. */
const mostAhead = 64;

/**
 * Ends a connection on which more requests wait for their answers than an honest client sends. Each of them costs
 * memory and a look-up, however slowly the answers are taken.
 */
export function limitPipelining(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > mostAhead) {
      reply.hijack();
      socket.destroy();
      return;
    }
    // Each answer that waits listens for the end of the connection by itself.
    if (count === 8) socket.setMaxListeners(mostAhead * 4);
    reply.raw.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    done();
  });
}
