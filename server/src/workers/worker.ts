import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type ListenOptions, type Server as TcpServer } from 'node:net';

/** `terminate` lets calls arrive for a while, `hand over` gives transfers more time. */
export type Stop = 'terminate' | 'interrupt' | 'hand over';

export function obeyParent(greeting: string, stop: (how: Stop) => void): void {
  process.on('message', (how: Stop) => stop(how));
  // node:cluster would end the process at once.
  process.prependOnceListener('disconnect', () => {
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
    stop('terminate');
  });
  // The parent decides what signals to all processes mean.
  process.on('SIGINT', () => {}).on('SIGHUP', () => {});
  process.once('SIGTERM', () => {
    stop('terminate');
    process.on('SIGTERM', () => {});
  });
  process.send?.(greeting, undefined, undefined, () => {});
}

/** What only one process counts holds for clients whom a proxy sends here each time. */
export async function listenAlone(server: Server, options: ListenOptions): Promise<TcpServer> {
  const own = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
  own.maxConnections = server.maxConnections;
  await once(own.listen(options), 'listening');
  return own;
}

export function leaveParent(): void {
  if (process.connected) process.disconnect();
}
