import cluster from 'node:cluster';

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

export function leaveParent(): void {
  if (process.connected) process.disconnect();
}
