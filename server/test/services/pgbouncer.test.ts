import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import { startPostgres } from '@holdfast/test-support/start-postgres.ts';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/storage/db/postgres.ts';

const log = { warn: () => {} };

/** Debian's PgBouncer, with its own defaults, in front of an empty PostgreSQL. Returns a value of DATABASE_URL. */
async function startPooler(mode: 'session' | 'transaction'): Promise<string> {
  const opened = new AsyncDisposableStack();
  onTestFinished(() => opened.disposeAsync());
  const postgres = new URL(opened.use(await startPostgres()).url);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-pgbouncer-'));
  opened.defer(() => rm(folder, { recursive: true }));
  await chmod(folder, 0o755);
  const port = await freePort();
  const configuration = `[databases]
* = host=${postgres.hostname} port=${postgres.port} user=${postgres.username} password=${postgres.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, configuration);
  // It never runs as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn('/usr/sbin/pgbouncer', [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  opened.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('process up')) break;
  return `postgres://${postgres.username}@127.0.0.1:${port}/postgres`;
}

test('a pooler that keeps the connection of each client serves', async () => {
  const db = await openPostgres(await startPooler('session'), log);
  const { rows } = await sql<{ lock: string }>`SELECT current_setting('lock_timeout') AS lock`.execute(db);
  expect(rows).toEqual([{ lock: '3s' }]);
  await db.destroy();
});

test('a pooler that lends a connection for each transaction is refused at once, also by commands', async () => {
  const url = await startPooler('transaction');
  for (const schema of ['migrate', 'as it is'] as const)
    await expect(openPostgres(url, log, { schema })).rejects.toThrow(/Set its pool_mode to session\.$/);
});
