import type { IncomingMessage } from 'node:http';

const checkEveryMs = 10_000;
const checks = 3;
const bytesPerCheck = 8 * 1024;

/**
 * Ends a request whose body arrives at less than 8 KB per 10 s, averaged over 30 s. There is no total time limit: an
 * upload may take hours while it progresses, but a stalled one must not keep its slot.
 */
export function watchSlowBody(request: IncomingMessage): void {
  const { socket } = request;
  const samples = [socket.bytesRead];
  const timer = setInterval(() => {
    samples.push(socket.bytesRead);
    if (samples.length > checks + 1) samples.shift();
    const moved = socket.bytesRead - (samples[0] ?? 0);
    if (samples.length > checks && moved < bytesPerCheck * checks) socket.resetAndDestroy();
  }, checkEveryMs);
  timer.unref();
  const stop = () => clearInterval(timer);
  request.once('end', stop).once('close', stop);
}
