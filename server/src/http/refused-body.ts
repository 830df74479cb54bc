import type { IncomingMessage } from 'node:http';

const lingerMs = 30_000;
/** Enough for a form that went to the wrong address by mistake. */
const mostUnwanted = 8 * 1024 * 1024;

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

/** The same where no body is ever taken, so that nobody sends one without end. */
export function discardUnwantedBody(request: IncomingMessage): void {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return;
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > mostUnwanted) request.destroy();
  });
  discardRestOfBody(request);
}
