import type { Server, ServerResponse } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

const sweepEveryMs = 50;
const mostTurns = 1_000;

interface Connections {
  readonly open: ReadonlySet<Socket>;
  isDraining: boolean;
}

const connectionsOf = new WeakMap<Server, Connections>();

/** Returns what ends the connections that a closing server would wait for. */
export function prepareShutdown(server: Server): () => void {
  const open = new Set<Socket>();
  const connections: Connections = { open, isDraining: false };
  connectionsOf.set(server, connections);
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (connections.isDraining) response.shouldKeepAlive = false;
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    // Each of any number of pipelined requests listens for the close.
    socket.setMaxListeners(0);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, sweepEveryMs);
    server.once('close', () => clearInterval(sweep));
  };
}

/**
 * A proxy may be sending a call on an idle connection, so it is closed when it was idle for longer than the proxy keeps
 * one.
 */
export async function drain(server: Server, idleMs: () => number, ownPort?: TcpServer | null): Promise<void> {
  const connections = connectionsOf.get(server);
  if (!connections) throw new Error('unreachable: the shutdown of the server was prepared');
  connections.isDraining = true;
  for (const socket of connections.open) announceEnd(socket);
  await stopAccepting(server, ownPort);
  const isIdle = createIdleCheck(idleMs);
  while (connections.open.size > 0) {
    for (const socket of connections.open) if (isIdle(socket)) socket.destroy();
    await delay(sweepEveryMs);
  }
}

/** The system resets connections that it has accepted and this process has not. */
async function stopAccepting(server: Server, ownPort?: TcpServer | null): Promise<void> {
  let hasAccepted = true;
  const note = () => (hasAccepted = true);
  server.on('connection', note).on('drop', note);
  for (let turn = 0; hasAccepted && turn < mostTurns; turn += 1) {
    hasAccepted = false;
    await nextTurn();
  }
  server.off('connection', note).off('drop', note);
  // The method of HTTP servers would close idle connections, too.
  TcpServer.prototype.close.call(server);
  ownPort?.close();
}

function createIdleCheck(idleMs: () => number): (socket: Socket) => boolean {
  const seen = new WeakMap<Socket, { readonly bytesRead: number; readonly at: number }>();
  return (socket) => {
    const now = performance.now();
    const before = seen.get(socket);
    const { bytesRead } = socket;
    if (before && before.bytesRead === bytesRead && !responseOf(socket)) return now - before.at >= idleMs();
    seen.set(socket, { bytesRead, at: now });
    return false;
  };
}

function announceEnd(socket: Socket): void {
  const response = responseOf(socket);
  if (response && !response.headersSent) response.shouldKeepAlive = false;
}

/** Node does not document where it keeps the pending response. */
const responseOf = (socket: Socket) =>
  (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage;
