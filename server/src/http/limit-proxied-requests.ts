import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FastifyInstance } from 'fastify';
import { clientKey } from './client-address.ts';

/**
 * Limits the requests in progress of each address behind a trusted proxy. A proxy's connections carry many clients and
 * are not limited, so without this one client could use up all of them, such as with downloads that it does not read.
 */
export function limitProxiedRequests(app: FastifyInstance, most: number): void {
  const inProgress = new Map<string, number>();
  app.addHook('onRequest', (request, reply, done) => {
    const { ip } = request;
    // It came directly and its connection is counted by `limitConnections`, or it is the proxy's own.
    if (ip === request.raw.socket.remoteAddress) return done();
    const client = clientKey(ip);
    const count = inProgress.get(client) ?? 0;
    if (count >= most) return done(new Failure('RATE_LIMITED', undefined, { retryAfterSeconds }));
    inProgress.set(client, count + 1);
    reply.raw.once('close', () => {
      const left = (inProgress.get(client) ?? 1) - 1;
      if (left > 0) inProgress.set(client, left);
      else inProgress.delete(client);
    });
    done();
  });
}

/** How long the others take is unknown. */
const retryAfterSeconds = 5;
