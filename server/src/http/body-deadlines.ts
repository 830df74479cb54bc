import type { IncomingMessage } from 'node:http';

/** An honest sender has a small body, or one that no route takes, ready. */
export const hurriedMs = 10_000;
const lingerMs = 30_000;

/** Closing at once would reset the connection while the client still sends, before it reads the response. */
export function discardBody(request: IncomingMessage, withinMs = lingerMs): void {
  if (request.complete || request.destroyed) return;
  closeAfterBody(request);
  endBodyAfter(request, withinMs);
  request.resume();
}

/** Ends only the writing side until then: Node calls `destroySoon` after a response that is a connection's last. */
function closeAfterBody(request: IncomingMessage): void {
  const { socket } = request;
  socket.destroySoon = () => socket.end();
  request.once('close', () => {
    Reflect.deleteProperty(socket, 'destroySoon');
    if (socket.writableEnded) socket.destroySoon();
  });
}

const mostUnwanted = 8 * 1024 * 1024;

export function discardUnwantedBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > mostUnwanted) request.destroy();
  });
  discardBody(request, hurriedMs);
}

export function endBodyAfter(request: IncomingMessage, ms: number, onEnd = () => {}): void {
  const timer = setTimeout(() => request.socket.resetAndDestroy(), ms).unref();
  const stop = () => {
    clearTimeout(timer);
    onEnd();
  };
  request.once('end', stop).once('close', stop).once('error', stop);
}

const checkEveryMs = 10_000;
const checks = 3;
const bytesPerCheck = 8 * 1024;

/** Ends a body that arrives at less than 8 KB per 10 s, averaged over 30 s in which it was read. */
export function endSlowBody(request: IncomingMessage): void {
  const { socket } = request;
  const samples = [socket.bytesRead];
  const timer = setInterval(() => {
    if (request.isPaused()) samples.length = 0;
    samples.push(socket.bytesRead);
    if (samples.length > checks + 1) samples.shift();
    const moved = socket.bytesRead - (samples[0] ?? 0);
    if (samples.length > checks && moved < bytesPerCheck * checks) socket.resetAndDestroy();
  }, checkEveryMs).unref();
  const stop = () => clearInterval(timer);
  request.once('end', stop).once('close', stop);
}
