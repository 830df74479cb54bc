import type { IncomingMessage } from 'node:http';

const lingerMs = 30_000;
/** An honest sender of a body that no route takes has it ready. */
const unwantedMs = 10_000;
/** Enough for a form sent to the wrong address by mistake. */
const mostUnwanted = 8 * 1024 * 1024;

/**
 * Reads and discards the rest of a body after its request was refused. Closing at once would reset the connection while
 * the client still sends, and the client would see the reset instead of the response. The connection ends after 30 s at
 * the latest.
 */
export function discardRestOfBody(request: IncomingMessage, withinMs = lingerMs): void {
  if (request.complete || request.destroyed) return;
  endBodyAfter(request, withinMs);
  request.resume();
}

/** Does the same within 10 s, for a route that does not exist. */
export const discardUnroutedBody = (request: IncomingMessage): void => discardRestOfBody(request, unwantedMs);

/** Ends the connection if the body of a call that takes none is not there after 10 s. It does not read it. */
export const hurryUnwantedBody = (request: IncomingMessage): void => endBodyAfter(request, unwantedMs);

/** Discards a body within 10 s for paths that never accept one, and limits its size. */
export function discardUnwantedBody(request: IncomingMessage): void {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return;
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > mostUnwanted) request.destroy();
  });
  discardUnroutedBody(request);
}

function endBodyAfter(request: IncomingMessage, ms: number): void {
  const timer = setTimeout(() => request.socket.resetAndDestroy(), ms);
  timer.unref();
  const stop = () => clearTimeout(timer);
  request.once('end', stop).once('close', stop).once('error', stop);
}
