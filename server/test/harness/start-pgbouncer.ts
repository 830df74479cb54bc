import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@holdfast/test-support/free-ports.ts';

export interface Pooler extends AsyncDisposable {
  /** Without the name of a database. */
  readonly url: string;
}

/** Debian's PgBouncer, with its own defaults besides `settings`, in front of all databases of a PostgreSQL. */
export async function startPgbouncer(
  behind: string,
  mode: 'session' | 'transaction',
  settings: readonly string[] = [],
): Promise<Pooler> {
  await using undo = new AsyncDisposableStack();
  const postgres = new URL(behind);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-pgbouncer-'));
  undo.defer(() => rm(folder, { recursive: true }));
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
${settings.join('\n')}
`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, configuration);
  // It never runs as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn('/usr/sbin/pgbouncer', [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  undo.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => line.includes('process up') && resolve());
    child.once('error', reject).once('exit', () => reject(new Error('PgBouncer did not start')));
  });
  const opened = undo.move();
  return {
    url: `postgres://${postgres.username}@127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
