import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

/** Answers a request, or returns false and leaves it untouched. */
export type ShortWay = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Asks `way` before the only listener for requests that the server has, the framework's. */
export function openShortWay(server: Server, way: ShortWay): void {
  const [usual, ...others] = server.listeners('request') as RequestListener[];
  if (!usual || others.length > 0) throw new Error('unreachable: a new server has one listener for requests');
  server.off('request', usual);
  server.on('request', (request, response) => {
    if (!way(request, response)) usual(request, response);
  });
}
