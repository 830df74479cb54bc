import type { Server } from 'node:http';

const sweepEveryMs = 50;

/**
 * A connection that was answering when the server began to close would stay open for its whole keep-alive time.
 * This ends each as soon as its answer is out, so that closing takes as long as the slowest answer and no longer.
 */
export function closeConnectionsAsTheyFallIdle(server: Server): void {
  const sweep = setInterval(() => server.closeIdleConnections(), sweepEveryMs);
  server.once('close', () => clearInterval(sweep));
}
