/**
 * Bounds the memory that the kernel uses for bytes that clients have not acknowledged. Linux accepts up to 4 MB for each
 * connection, in memory that no RSS shows, so a few hundred clients that read some megabytes and then stop would use
 * gigabytes. Node cannot bound the buffer of one connection. So while all of TCP uses much memory, a connection is
 * written to only as far as its client has taken what was written before.
 */
import type { Socket } from 'node:net';
import { type Connection, connectionOf, measureTaken, openConnections, untaken } from './connections.ts';
import { readTcpMemory } from './tcp-memory.ts';

const MiB = 1024 * 1024;
/** In bytes of kernel memory. Below `ample`, every write is allowed; above `most`, none that exceeds the share. */
const ample = 96 * MiB;
const most = 160 * MiB;
/** Each connection may always have this many bytes under way, so clients that read never wait for those that do not. */
const share = 64 * 1024;
/** A piece of a response while memory is short. */
export const crowdedPiece = 32 * 1024;
/** Kernel memory for each byte of content, measured: 1.8 to 2.4. */
const overhead = 2;
/** After this many bytes, the kernel's total is read again. */
const lookEvery = 8 * MiB;
/** A measurement of all connections uses at most half of one thread's time. */
const measureEveryMs = 50;
/** While memory is short, a client that takes nothing for this long loses what it has beyond its share. */
const idleWhenCrowdedMs = 5_000;

interface Waiting {
  readonly connection: Connection;
  readonly bytes: number;
  readonly go: () => void;
}

const waiting = new Set<Waiting>();
/** Kernel memory at the last look, without that of other programs, and the content written since then. */
let memory = 0;
let ofOthers = 0;
let since = 0;
/** Content written since the start of the process. */
let sent = 0;
let measuring = false;

const estimate = () => memory + overhead * since;

/** Returns whether the kernel uses much memory for connections. */
export const isCrowded = (): boolean => estimate() > ample;

/** Returns the bytes of content that this process has written to its clients. */
export const countAllSent = (): number => sent;

/** Counts bytes that are being written to any connection. */
export function countSent(bytes: number): void {
  sent += bytes;
  since += bytes;
  if (since >= lookEvery) look();
}

/**
 * Counts the bytes and calls `go` when they may be written, possibly before it returns, or soon after the connection has
 * closed.
 */
export function whenAllowed(socket: Socket, bytes: number, go: () => void): void {
  const connection = isCrowded() ? connectionOf(socket) : undefined;
  if (connection && !isAllowed(connection, bytes)) {
    waiting.add({ connection, bytes, go });
    void measure();
    return;
  }
  countSent(bytes);
  go();
}

/** A client that reads gets twice what it took since the measurement before, so its speed can grow. */
function isAllowed(connection: Connection, bytes: number): boolean {
  const after = untaken(connection) + bytes;
  if (after <= share || !isCrowded()) return true;
  return after <= 2 * connection.lastTaken && estimate() + overhead * bytes <= most;
}

function look(): void {
  since = 0;
  memory = Math.max(0, (readTcpMemory() ?? 0) - ofOthers);
}

/** Measures all connections, and again while clients wait. */
async function measure(): Promise<void> {
  if (measuring) return;
  measuring = true;
  try {
    while (waiting.size > 0) {
      const start = performance.now();
      await refresh();
      endIdle(performance.now());
      release();
      const rest = Math.max(measureEveryMs, performance.now() - start);
      if (waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, rest).unref());
    }
  } finally {
    measuring = false;
  }
}

let refreshing: Promise<void> | null = null;

/** Measures what clients have taken and what the kernel holds for them. */
export function refresh(): Promise<void> {
  return (refreshing ??= refreshOnce().finally(() => (refreshing = null)));
}

async function refreshOnce(): Promise<void> {
  const queued = await measureTaken();
  const all = readTcpMemory() ?? 0;
  ofOthers = queued === null ? 0 : Math.max(0, all - queued * overhead);
  look();
}

function endIdle(now: number): void {
  if (!isCrowded()) return;
  for (const connection of openConnections()) {
    const idle = now - connection.movedAt > idleWhenCrowdedMs;
    if (idle && untaken(connection) > share) connection.socket.resetAndDestroy();
  }
}

function release(): void {
  for (const entry of waiting) {
    const { connection, bytes, go } = entry;
    if (!connection.socket.destroyed && !isAllowed(connection, bytes)) continue;
    waiting.delete(entry);
    countSent(bytes);
    go();
  }
}
