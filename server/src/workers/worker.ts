/** Messages between a worker and its parent: the worker sends the lines of its start, the parent how to stop. */
import cluster from 'node:cluster';

/**
 * `terminate`: calls still arrive for a while. `interrupt`: nobody waits for that in a terminal. `hand over`: other
 * workers serve the same port, so transfers under way have more time.
 */
export type Stop = 'terminate' | 'interrupt' | 'hand over';

/** Tells the parent that this worker serves, and stops it when the parent says so or has ended. */
export function obeyParent(greeting: string, stop: (how: Stop) => void): void {
  process.on('message', (how: Stop) => stop(how));
  // The module would end the process at once, with the responses under way.
  process.prependOnceListener('disconnect', () => {
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
    stop('terminate');
  });
  // A terminal and some supervisors send signals to all processes, and the parent decides what they mean.
  process.on('SIGINT', () => {}).on('SIGHUP', () => {});
  process.once('SIGTERM', () => {
    stop('terminate');
    process.on('SIGTERM', () => {});
  });
  process.send?.(greeting, undefined, undefined, () => {});
}

/** Ends the connection with the parent, so that the process can end. */
export function leaveParent(): void {
  if (process.connected) process.disconnect();
}
