import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, trackConnections, untaken } from './connections.ts';
import { refresh } from './send-allowance.ts';

/** Times in milliseconds. */
export interface ReadingLimits {
  /** A client must take something within this time, plus or minus a sixth. */
  readonly stallMs: number;
  /** It must take `bytesPerSecond` on average over this time. */
  readonly paceMs: number;
  readonly bytesPerSecond: number;
}

/** 8 kbit/s, less than a modem of 1987. Uploads must be about as fast. */
const readingLimits: ReadingLimits = { stallMs: 60_000, paceMs: 180_000, bytesPerSecond: 1_000 };
const looksPerStall = 6;

interface Window {
  readonly since: number;
  readonly taken: number;
}

/**
 * Ends connections whose clients do not take what was written to them. Only time in which something waits for the
 * client counts: never the server's own pace, and never the time between two requests. They end with a reset, because
 * after an orderly close the kernel would keep what is unsent, in memory that no limit counts, for as long as the client
 * confirms that it is still there.
 */
export function endSlowReaders(server: Server, limits: ReadingLimits = readingLimits): void {
  const connections = trackConnections(server);
  const windows = new WeakMap<Connection, Window>();
  const look = async () => {
    if ([...connections].some((each) => untaken(each) > 0)) await refresh();
    for (const connection of connections) judge(connection, windows, limits);
  };
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => (looking = false));
  }, limits.stallMs / looksPerStall);
  timer.unref();
  server.once('close', () => clearInterval(timer));
  server.on('connection', closeThisSideOnly);
  server.on('timeout', (socket: Socket) => socket.end());
}

function judge(connection: Connection, windows: WeakMap<Connection, Window>, limits: ReadingLimits): void {
  const now = performance.now();
  const { socket, taken, movedAt, caughtUpAt, endedAt } = connection;
  if (untaken(connection) === 0) {
    connection.movedAt = now;
    connection.caughtUpAt = now;
    // The client has everything, and has kept its own side open.
    if (endedAt !== null && now - endedAt >= limits.stallMs / 2) socket.destroy();
    return;
  }
  const window = windows.get(connection);
  if (now - movedAt >= limits.stallMs) socket.resetAndDestroy();
  else if (!window || window.since < caughtUpAt) windows.set(connection, { since: now, taken });
  else if (now - window.since >= limits.paceMs) {
    if (taken - window.taken < ((now - window.since) / 1000) * limits.bytesPerSecond) socket.resetAndDestroy();
    else windows.set(connection, { since: now, taken });
  }
}

/**
 * Node would close both sides as soon as the kernel has the last response. The connection would be gone from here while
 * the kernel still holds the response for a client that does not read.
 */
function closeThisSideOnly(socket: Socket): void {
  socket.destroySoon = () => void socket.end();
}
