import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const sweepEveryMs = 50;

/**
 * A connection that was answering when the server began to close would stay open for its whole keep-alive time, and
 * one that a browser opened ahead and has not used yet does not even count as idle. What this returns ends the ones as
 * soon as their answer is out and the others at once, so that closing takes as long as the slowest answer.
 */
export function prepareShutdown(server: Server): () => void {
  const open = new Set<Socket>();
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
