import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** A download must progress within this time, plus what the kernel buffers. */
const longestStallMs = 60_000;

/** Ends connections on which nothing moves while a response is under way. Idle ones end sooner, by their own timeout. */
export function endStalledConnections(server: Server, ms = longestStallMs): void {
  server.setTimeout(ms);
  server.on('timeout', (socket: Socket) => {
    // After an orderly close the kernel would keep what is unsent for as long as the client confirms that it is there.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else socket.destroy();
  });
}
