import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const sweepEveryMs = 50;

/**
 * While the server stops, each response says `Connection: close`, so that its client sends the next call elsewhere or
 * on a new connection, and no call arrives on a connection that is being closed.
 *
 * A connection with a response in progress when the server starts to close would stay open for its whole keep-alive
 * time, and a connection that a browser opened ahead and has not used does not even count as idle. The returned
 * function closes the former as soon as their response is sent and the latter at once, so that closing takes as long as
 * the slowest response.
 */
export function prepareShutdown(server: Server, stopping: AbortSignal | undefined): () => void {
  const open = new Set<Socket>();
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (stopping?.aborted) response.shouldKeepAlive = false;
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, sweepEveryMs);
    server.once('close', () => clearInterval(sweep));
  };
}
