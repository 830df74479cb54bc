import type { Logger } from 'pino';
import { seconds } from './clock.ts';

const every = seconds(5);

/** Logs an error at most once in five seconds, with the number of those since the last line. */
export function logSometimes(log: Pick<Logger, 'warn'>, message: string): (error: unknown) => void {
  let loggedAt = -Infinity;
  let unlogged = 0;
  return (error) => {
    unlogged += 1;
    const now = performance.now();
    if (now - loggedAt < every) return;
    log.warn({ err: error, times: unlogged }, message);
    loggedAt = now;
    unlogged = 0;
  };
}
