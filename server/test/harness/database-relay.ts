import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** How a COMMIT ends whose response never arrives. */
type LostCommit = 'after the commit' | 'before the commit';

export interface DatabaseRelay {
  readonly url: string;
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Ends the connection on which the next COMMIT is sent. With `thenCut`, the relay is cut as well. */
  loseCommit(lost: LostCommit, options?: { readonly thenCut?: boolean }): void;
  /** Returns whether that COMMIT was sent, and its connection has ended. */
  hasLostCommit(): boolean;
}

/** A relay in front of PostgreSQL that fails at a chosen moment. */
export async function openDatabaseRelay(databaseUrl: string): Promise<DatabaseRelay> {
  const to = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let lost: LostCommit | null = null;
  let thenCut = false;
  let hasLost = false;

  const end = (...pair: readonly Socket[]) => {
    hasLost = true;
    for (const socket of pair) socket.destroy();
    if (thenCut) void cut();
  };
  const server = createServer((client) => {
    const database = connect(Number(to.port), to.hostname);
    let isLast = false;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        for (const other of [client, database]) other.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (lost !== null && bytes.includes('commit\0')) {
        isLast = lost === 'after the commit';
        lost = null;
        if (!isLast) return end(client, database);
      }
      database.write(bytes);
    });
    database.on('data', (bytes) => (isLast ? end(client, database) : client.write(bytes)));
  });
  const cut = async () => {
    thenCut = false;
    const closed = server.listening ? once(server.close(), 'close') : null;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const listen = async (port: number) => void (await once(server.listen(port, '127.0.0.1'), 'listening'));
  await listen(0);
  const { port } = server.address() as { port: number };
  onTestFinished(cut);
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    cut,
    mend: () => listen(port),
    hasLostCommit: () => hasLost,
    loseCommit(when, options = {}) {
      lost = when;
      hasLost = false;
      thenCut = options.thenCut ?? false;
    },
  };
}

/** A relay that holds back the responses of PostgreSQL for a while, or drops those of some connections. */
export async function openSlowRelay(databaseUrl: string) {
  const to = new URL(databaseUrl);
  let delayMs = 0;
  let silent = 0;
  let count = 0;
  const server = createServer((client) => {
    count += 1;
    const number = count;
    const database = connect(Number(to.port), to.hostname);
    client.on('error', () => database.destroy()).on('close', () => database.destroy());
    database.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('data', (bytes) => database.write(bytes));
    database.on('data', (bytes) =>
      setTimeout(() => number > silent && client.writable && client.write(bytes), delayMs),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: url.href,
    delay: (ms: number) => void (delayMs = ms),
    /** Drops the responses on the connections of now, as a firewall that has forgotten them, or on all with `Infinity`. */
    silence: (connections = count) => void (silent = connections),
  };
}
