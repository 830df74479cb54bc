import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-ports.ts';
import { memoryFolder } from './memory-folder.ts';

export interface RgwServer extends AsyncDisposable {
  readonly endpoint: string;
  /** As the usual variables of AWS. */
  readonly credentials: { readonly AWS_ACCESS_KEY_ID: string; readonly AWS_SECRET_ACCESS_KEY: string };
  /** Runs a command of the administrator, such as `['quota', 'set', …]`. */
  admin(args: readonly string[]): Promise<void>;
  /** Ends the S3 server; its objects stay. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Stops it in place: it accepts connections and never responds. */
  freeze(): Promise<void>;
  thaw(): void;
}

const accessKey = 'holdfast-tests';
const secretKey = 'a-secret-key-of-tests';
const user = 'holdfast';

/** A real S3 server on loopback: Ceph's radosgw with one monitor, and one store in memory. It takes about ten seconds. */
export async function startRgw(): Promise<RgwServer> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-ceph-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const [monitorPort, port] = [await freePort(), await freePort()];
  const fsid = randomUUID();
  const configuration = join(folder, 'ceph.conf');
  for (const name of ['mon', 'osd', 'run']) await mkdir(join(folder, name));
  await writeFile(configuration, settings(folder, fsid, monitorPort, port));
  const env = { ...process.env, CEPH_CONF: configuration };
  const run = (program: string, args: readonly string[]) => promisify(execFile)(program, args, { env, cwd: folder });
  const serve = (program: string, args: readonly string[]): ChildProcess =>
    hurry(spawn(program, [...args, '-f'], { env, cwd: folder, stdio: 'ignore' }));
  const serveToTheEnd = (program: string, args: readonly string[]) => {
    const child = serve(program, args);
    undo.defer(() => end(child));
  };

  const address = `[v2:127.0.0.1:${monitorPort}]`;
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', address, 'monmap']);
  await run('ceph-mon', ['-i', 'a', '--mkfs', '--monmap', 'monmap']);
  serveToTheEnd('ceph-mon', ['-i', 'a']);
  const osd = randomUUID();
  await run('ceph', ['osd', 'new', osd]);
  await run('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', osd]);
  serveToTheEnd('ceph-osd', ['-i', '0']);
  const endpoint = `http://127.0.0.1:${port}`;
  const startServer = async () => {
    const child = serve('radosgw', ['-n', 'client.rgw']);
    await untilItResponds(endpoint, child);
    return child;
  };
  let server = await startServer();
  undo.defer(() => end(server));
  const admin = async (args: readonly string[]) => void (await run('radosgw-admin', ['-n', 'client.rgw', ...args]));
  await admin([
    'user',
    'create',
    `--uid=${user}`,
    '--display-name=Holdfast',
    `--access-key=${accessKey}`,
    `--secret-key=${secretKey}`,
  ]);
  const opened = undo.move();
  return {
    endpoint,
    credentials: { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey },
    admin,
    stop: () => end(server),
    async start() {
      server = await startServer();
    },
    async freeze() {
      server.kill('SIGSTOP');
      // Its threads go on until the one that gets the signal runs.
      while (!/\) T /.test(await readFile(`/proc/${server.pid}/stat`, 'utf8'))) await wait(10);
    },
    thaw: () => void server.kill('SIGCONT'),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** One copy of everything on one store, without authentication between the parts, which only listen on loopback. */
const settings = (folder: string, fsid: string, monitorPort: number, port: number) => `[global]
fsid = ${fsid}
mon host = [v2:127.0.0.1:${monitorPort}/0]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pg autoscale mode = off
mon allow pool size one = true
osd crush chooseleaf type = 0
mon data avail warn = 2
mon data avail crit = 1
run dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
pid file = ${folder}/run/$name.pid
log file = ${folder}/run/$name.log
crash dir = ${folder}/run
[mon]
auth allow insecure global id reclaim = false
mon data = ${folder}/mon
mon initial members = a
mon cluster log file = ${folder}/run/cluster.log
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 4294967296
osd memory target = 939524096
[client.rgw]
rgw data = ${folder}/run
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw enable usage log = false
rgw thread pool size = 64
`;

/** A real store does not share its cores with its clients. */
function hurry(child: ChildProcess): ChildProcess {
  // Only root may raise a priority.
  if (process.getuid?.() === 0 && child.pid !== undefined) setPriority(child.pid, -10);
  return child;
}

async function untilItResponds(endpoint: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    if (child.exitCode !== null) throw new Error(`radosgw ended with ${child.exitCode}`);
    const responds = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (responds) return;
    await wait(250);
  }
  throw new Error('radosgw does not respond');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // Nothing of it is kept, so it needs no time to end in order.
  child.kill('SIGKILL');
  await exited;
}
