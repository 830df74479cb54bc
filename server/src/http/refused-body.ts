import type { IncomingMessage } from 'node:http';

const lingerMs = 30_000;
/** Enough for a form sent to the wrong address by mistake. */
const mostUnwanted = 8 * 1024 * 1024;

/**
 * Reads and discards the rest of a body after its request was refused. Closing at once would reset the connection while
 * the client still sends, and the client would see the reset instead of the response. The connection ends after 30 s at
 * the latest.
 */
export function discardRestOfBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), lingerMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.once('error', () => clearTimeout(timer));
  request.resume();
}

/** Does the same for paths that never accept a body, and limits its size. */
export function discardUnwantedBody(request: IncomingMessage): void {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return;
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > mostUnwanted) request.destroy();
  });
  discardRestOfBody(request);
}
