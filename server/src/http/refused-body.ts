import type { IncomingMessage } from 'node:http';

const lingerMs = 30_000;

/**
 * Reads and throws away what is left of a body after its request was refused. Closing at once would reset the
 * connection while the client still sends, and it would see that instead of the answer. After 30 s it ends anyway.
 */
export function discardRestOfBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), lingerMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.once('error', () => clearTimeout(timer));
  request.resume();
}
