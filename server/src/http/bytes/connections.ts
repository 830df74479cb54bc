/** The open connections of this process, and how much of what was written each client has taken. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { peerKey, readSendQueues, type SendQueues } from './send-queues.ts';

export interface Connection {
  readonly socket: Socket;
  readonly localPort: number;
  /** Its key in the kernel's tables. */
  readonly peer: string;
  /** Bytes that the client has acknowledged, as far as this process knows. */
  taken: number;
  /** Bytes that it took between the last two measurements. */
  lastTaken: number;
  /** Times of `performance.now()`: it took bytes, or had taken all of them. */
  movedAt: number;
  caughtUpAt: number;
  /** When everything was handed to the kernel and this side was closed. */
  endedAt: number | null;
}

const open = new Map<Socket, Connection>();

/** Returns the open connections of the server. */
export function trackConnections(server: Server): ReadonlySet<Connection> {
  const own = new Set<Connection>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress, remotePort, localPort } = socket;
    // The client has disconnected already.
    if (remoteAddress === undefined || remotePort === undefined || localPort === undefined) return;
    const now = performance.now();
    const peer = peerKey(remoteAddress, remotePort);
    const counts = { taken: 0, lastTaken: 0, movedAt: now, caughtUpAt: now, endedAt: null };
    const connection: Connection = { socket, localPort, peer, ...counts };
    open.set(socket, connection);
    own.add(connection);
    socket.once('finish', () => (connection.endedAt = performance.now()));
    socket.once('close', () => {
      open.delete(socket);
      own.delete(connection);
    });
  });
  return own;
}

export const connectionOf = (socket: Socket): Connection | undefined => open.get(socket);

export const openConnections = (): Iterable<Connection> => open.values();

/** Returns how many bytes the client has not taken, at most. */
export const untaken = ({ socket, taken }: Connection): number => socket.bytesWritten - taken;

/**
 * Measures what each client has taken. Returns the sum of what the kernel holds for them and for connections that were
 * closed before their clients had taken everything, or null where the system does not tell; then bytes that the kernel
 * has accepted count as taken.
 */
export async function measureTaken(): Promise<number | null> {
  const before = [...open.values()].map((connection) => ({ connection, ...progressOf(connection.socket) }));
  const ports = new Set(before.map(({ connection }) => connection.localPort));
  const tables = new Map<number, SendQueues | null>();
  for (const port of ports) tables.set(port, await readSendQueues(port));
  const now = performance.now();
  for (const { connection, written, accepted } of before) {
    const queues = tables.get(connection.localPort);
    // A table that changes while it is read can lack a connection.
    const queued = queues ? queues.get(connection.peer) : 0;
    if (queued !== undefined) note(connection, accepted - queued, written, now);
  }
  const known = [...tables.values()].filter((queues) => queues !== null && queues !== undefined);
  return known.length < ports.size ? null : sum(known.flatMap((queues) => [...queues.values()]));
}

function note(connection: Connection, taken: number, written: number, now: number): void {
  connection.lastTaken = Math.max(0, taken - connection.taken);
  connection.taken += connection.lastTaken;
  if (connection.lastTaken > 0 || connection.taken === written) connection.movedAt = now;
  if (connection.taken === written) connection.caughtUpAt = now;
}

/** What a socket's handle counts. Node documents neither, and only they tell how much of a large write is left. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** Returns the bytes written to the socket, and those of them that the kernel has accepted. */
function progressOf(socket: Socket): { written: number; accepted: number } {
  const written = socket.bytesWritten;
  const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null };
  const accepted = handle ? handle.bytesWritten - handle.writeQueueSize : written - socket.writableLength;
  return { written, accepted };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
