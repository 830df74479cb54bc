/** Several workers behind one parent, which need PostgreSQL: their starts, ends and handovers, as an operator and their clients see them. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage, request, type RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder, newPlace, newTestPlace } from '../harness/new-place.ts';
import { addUploaders, type Place, type Uploader } from '../harness/place.ts';
import { type Service, startService } from '../harness/real-process.ts';
import { type SteadyCalls, startSteadyCalls } from '../harness/steady-calls.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';

const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** A start on a busy machine takes ten seconds. */
const patient = { timeout: 60_000, interval: 100 };

/** Returns the ids of the workers of a parent. */
async function workersOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface Line {
  readonly msg: string;
  readonly [fact: string]: unknown;
}

/** Returns the lines of the log with a text that begins in this way. */
async function logged(place: Place, beginning: string): Promise<Line[]> {
  const lines = (await readFile(place.logPath, 'utf8')).split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg.startsWith(beginning));
}

async function startWorkers(environment: Readonly<Record<string, string>> = {}) {
  const place = await newTestPlace();
  const service = await startService(place, { WORKERS: '2', ...environment });
  onTestFinished(() => service.kill());
  return { place, service };
}

async function callSteadily(place: Place, clients = 8): Promise<SteadyCalls> {
  const calls = startSteadyCalls(place, await addUploaders(place, clients));
  onTestFinished(() => calls.stop());
  await expect.poll(() => calls.done.download, patient).toBeGreaterThan(20);
  return calls;
}

/** Asks for new workers, and waits until they have taken over. */
async function handOver(place: Place, service: Service, times = 1): Promise<void> {
  process.kill(service.pid, 'SIGHUP');
  await expect.poll(() => logged(place, 'the new workers have taken over'), patient).toHaveLength(times);
}

test('no call fails while new workers take over', async () => {
  const { place, service } = await startWorkers();
  const before = await workersOf(service.pid);
  expect(before).toHaveLength(2);
  const calls = await callSteadily(place, 16);
  await handOver(place, service);
  await expect.poll(() => calls.done['download on a new connection'], patient).toBeGreaterThan(1_000);
  await calls.stop();
  expect(calls.failed).toEqual([]);
  await expect.poll(() => before.filter(isRunning), patient).toEqual([]);
  await expect.poll(() => workersOf(service.pid), patient).toHaveLength(2);
  expect(await service.stop()).toBe(0);
});

test('a slow download that is under way when new workers take over goes on', async () => {
  const { place, service } = await startWorkers();
  const [owner] = await addUploaders(place, 1, 'free');
  if (!owner) throw new Error('there is no account');
  const before = await workersOf(service.pid);
  // At the speed of the Free plan it takes 80 seconds, longer than a handover.
  const slow = await startDownload(place, await uploadWhole(place, owner, Buffer.alloc(40_000_000, 'kelp')));
  await handOver(place, service);
  await slow.more(1_000_000);
  slow.end();
  await expect.poll(() => before.filter(isRunning), patient).toEqual([]);
});

/** Not on a kept connection, which a worker that ends would keep a while, too. */
async function ask(port: number, asked: RequestOptions, body?: Buffer) {
  const sent = request({ host: '127.0.0.1', port, agent: false, ...asked }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: await text(answer) };
}

const form = {
  before: Buffer.from('--kelp\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'),
  after: Buffer.from('\r\n--kelp--\r\n'),
};

function formOf(owner: Uploader, bytes: Buffer) {
  const whole = Buffer.concat([form.before, bytes, form.after]);
  const headers = {
    'Content-Type': 'multipart/form-data; boundary=kelp',
    'Content-Length': whole.length,
    'X-API-Key': owner.apiKey,
  };
  return { whole, asked: { method: 'POST', path: '/api/v3/upload', headers } };
}

async function uploadWhole(place: Place, owner: Uploader, bytes: Buffer, port = place.port): Promise<string> {
  const { whole, asked } = formOf(owner, bytes);
  const { body } = await ask(port, { ...asked, headers: { ...asked.headers, Host: `127.0.0.1:${place.port}` } }, whole);
  return new URL((JSON.parse(body) as { url: string }).url).pathname;
}

async function startDownload(place: Place, path: string) {
  const asked = get({ host: '127.0.0.1', port: place.port, path, agent: false });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return {
    whole: () => buffer(answer),
    /** Reads so many bytes more. */
    async more(count: number) {
      for (let left = count; left > 0;) left -= ((await once(answer, 'data')) as [Buffer])[0].length;
    },
    end: () => void asked.destroy(),
  };
}

test('a worker that is killed is replaced while calls go on', async () => {
  const { place, service } = await startWorkers();
  const clients = 8;
  const calls = await callSteadily(place, clients);
  const [killed = 0, other = 0] = await workersOf(service.pid);
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => logged(place, 'a worker has ended')).toMatchObject([{ pid: killed }]);
  const replaced = async () => (await workersOf(service.pid)).filter((pid) => pid !== other);
  await expect.poll(replaced, patient).toHaveLength(1);
  expect(await replaced()).not.toContain(killed);
  // Those that the killed worker had begun, of which a client has one, and a kept connection to it.
  expect(calls.failed.length).toBeLessThanOrEqual(2 * clients);
  const [failed, done] = [calls.failed.length, calls.done.download];
  await expect.poll(() => calls.done.download, patient).toBeGreaterThan(done + 200);
  await calls.stop();
  expect(calls.failed).toHaveLength(failed);
  expect(service.fell).toBeNull();
});

test('a worker that ends whenever it is started waits longer each time, and the other one serves', async () => {
  const { place, service } = await startWorkers();
  const [, other = 0] = await workersOf(service.pid);
  const endAgain = async () => {
    for (const pid of await workersOf(service.pid)) if (pid !== other && isRunning(pid)) process.kill(pid, 'SIGKILL');
    return logged(place, 'ALARM: a worker ends whenever it is started');
  };
  await expect.poll(endAgain, { ...patient, timeout: 150_000 }).toHaveLength(1);
  // After pauses of 0.25, 0.5, 1 and 2 seconds.
  expect(await logged(place, 'a worker has ended')).toHaveLength(5);
  expect((await ask(place.port, { path: '/livez' })).status).toBe(200);
  await expect.poll(() => workersOf(service.pid), patient).toHaveLength(2);
});

test('SIGTERM ends all workers in order and the parent with 0', async () => {
  const { place, service } = await startWorkers();
  const [owner] = await addUploaders(place, 1, 'free');
  if (!owner) throw new Error('there is no account');
  const bytes = Buffer.alloc(1_500_000, 'kelp');
  const slow = await startDownload(place, await uploadWhole(place, owner, bytes));
  const workers = await workersOf(service.pid);
  const stopped = service.stop();
  expect(bytes.equals(await slow.whole())).toBe(true);
  expect(await stopped).toBe(0);
  expect(workers.filter(isRunning)).toEqual([]);
});

test('when the parent is killed, its workers finish their responses and end', async () => {
  const { place, service } = await startWorkers();
  const [owner] = await addUploaders(place, 1, 'free');
  if (!owner) throw new Error('there is no account');
  const bytes = Buffer.alloc(1_500_000, 'kelp');
  const slow = await startDownload(place, await uploadWhole(place, owner, bytes));
  const workers = await workersOf(service.pid);
  expect(workers).toHaveLength(2);
  await service.kill();
  expect(bytes.equals(await slow.whole())).toBe(true);
  await expect.poll(() => workers.filter(isRunning), patient).toEqual([]);
  expect(await logged(place, 'ALARM')).toEqual([]);
});

test('each worker has a private port of its own, also after others have taken over', async () => {
  const metricsPort = await freePort();
  const { place, service } = await startWorkers({ METRICS_PORT: String(metricsPort) });
  const page = async (number: number, path: string) =>
    (await fetch(`http://127.0.0.1:${metricsPort + number - 1}${path}`)).text();
  const before = await workersOf(service.pid);
  for (let times = 0; times < 2; times += 1) {
    for (const number of [1, 2]) {
      // An old worker may be given a connection until it has heard of the handover.
      await expect.poll(() => page(number, '/readyz'), patient).toMatch(/^ok\n/);
      expect(await page(number, '/livez')).toBe('ok\n');
      expect(await page(number, '/metrics')).toContain(`process_resident_memory_bytes{worker="${number}"}`);
    }
    if (times === 0) await handOver(place, service);
  }
  await expect.poll(() => before.filter(isRunning), patient).toEqual([]);
});

test('a worker counts all that arrives on its own port, also after others have taken over', async () => {
  const [first, metricsPort] = [await freePort(), await freePort()];
  const { place, service } = await startWorkers({ WORKER_PORT: String(first), METRICS_PORT: String(metricsPort) });
  const [owner] = await addUploaders(place, 1);
  if (!owner) throw new Error('there is no account');
  const before = await workersOf(service.pid);
  const stored = async (number: number) => {
    const page = await fetch(`http://127.0.0.1:${metricsPort + number - 1}/metrics`);
    return /^holdfast_uploads_total\{.*\} (\d+)$/m.exec(await page.text())?.[1];
  };
  for (const file of 'abcdef') await uploadWhole(place, owner, Buffer.from(file), first + 1);
  expect([await stored(1), await stored(2)]).toEqual(['0', '6']);
  await handOver(place, service);
  await expect.poll(() => before.filter(isRunning), patient).toEqual([]);
  for (const file of 'ghi') await uploadWhole(place, owner, Buffer.from(file), first);
  expect([await stored(1), await stored(2)]).toEqual(['3', '0']);
  expect(await service.stop()).toBe(0);
});

interface Started {
  readonly child: ChildProcess;
  readonly said: Promise<string>;
  readonly complained: Promise<string>;
  readonly ended: Promise<unknown>;
}

/** Several workers need PostgreSQL. */
async function startAlone(
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  program = entry,
) {
  const { environment: place } = await newPlace();
  const dataDir = await newFolder();
  // No later start would use the compiled code of a copy, and nothing would delete it.
  const inherited = program === entry ? programEnvironment : { PATH: programEnvironment.PATH };
  const env = { ...inherited, ...place, DATA_DIR: dataDir, SHUTDOWN_DELAY: '0', ...environment };
  const child = spawn(process.execPath, [program, ...args], { env, cwd: dataDir, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit').then(([code]: unknown[]) => code);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, said: text(child.stdout), complained: text(child.stderr) } satisfies Started;
}

test('of a first start of three workers, one prints the address and the link of the owner', async () => {
  const started = await startAlone({ PORT: '0', WORKERS: '3' });
  await once(started.child.stdout, 'data');
  await expect.poll(() => workersOf(started.child.pid ?? 0), patient).toHaveLength(3);
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
  expect(await started.said).toMatch(/^Holdfast \S+ is listening on \S+\nNobody has an account yet\. .+\n$/);
});

test.each([
  [
    { WORKERS: '3', DATABASE_URL: '' },
    "WORKERS is '3', but it must be 1 or auto unless DATABASE_URL is that of PostgreSQL.",
  ],
  [{ WORKERS: 'three' }, "WORKERS is 'three', but it must be auto, or a number from 1 to 64."],
  [{ WORKERS: '3', PORT: 'eighty' }, "PORT is 'eighty', but it must be a number from 0 to 65535."],
  [{ WORKERS: '3', DATA_DIR: entry }, `DATA_DIR cannot be used: EEXIST: file already exists, mkdir '${entry}'.`],
])('with %j the start fails with one sentence', async (environment, sentence) => {
  const started = await startAlone({ PORT: '0', ...environment });
  expect(await started.complained).toBe(`${sentence}\n`);
  expect(await started.ended).toBe(1);
});

test('with settings that do not work the old workers stay, and with others new ones take over', async () => {
  const place = await newTestPlace();
  const settings = join(place.folder, 'settings');
  const write = (lines: Record<string, string>) =>
    writeFile(
      settings,
      Object.entries(lines)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
  const good = { ...place.environment, WORKERS: '2', SHUTDOWN_DELAY: '0' };
  await write(good);
  const started = await startAlone({ DATA_DIR: '' }, ['--settings', settings]);
  const lines: string[] = [];
  started.child.stderr.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  await once(started.child.stdout, 'data');
  const pid = started.child.pid ?? 0;
  const before = await workersOf(pid);
  const region = async () => (await ask(place.port, { path: '/api/v3/session/server-info' })).body;
  const told = () => lines.join('');

  await write({ ...good, REGION: 'Elsewhere', DOWNLOAD_BURST: 'plenty' });
  started.child.kill('SIGHUP');
  const refusal = "DOWNLOAD_BURST is 'plenty', but it must be a size such as 2 MB, or 0.";
  await expect.poll(told, patient).toContain(refusal);
  await write({ ...good, WORKERS: 'many' });
  started.child.kill('SIGHUP');
  await expect.poll(told, patient).toContain("WORKERS is 'many'");
  await write({ ...good, BLOBS_URL: `file:${entry}` });
  started.child.kill('SIGHUP');
  await expect.poll(told, patient).toContain('BLOBS_URL cannot be used');
  await expect.poll(() => told().match(/could not take over, so the old ones stay/g), patient).toHaveLength(3);
  expect(await workersOf(pid)).toEqual(before);
  expect(await region()).toContain('Local');

  await write({ ...good, REGION: 'Elsewhere', WORKERS: '1' });
  started.child.kill('SIGHUP');
  await expect.poll(told, patient).toContain('the new workers have taken over');
  // An old worker may be given a connection until it has heard of it.
  await expect.poll(region, patient).toContain('Elsewhere');
  await expect.poll(() => workersOf(pid), patient).toHaveLength(1);
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Installs the program in its own folder, as in a container, with a web app of one script. Returns its entry. */
async function installProgram(version: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-installed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const part of ['src', 'package.json'])
    await cp(join(repository, 'server', part), join(folder, 'server', part), { recursive: true });
  for (const packages of ['node_modules', 'server/node_modules'])
    await symlink(join(repository, packages), join(folder, packages));
  await cp(join(repository, 'package.json'), join(folder, 'package.json'));
  const assets = join(folder, 'web', 'dist', 'assets');
  await mkdir(assets, { recursive: true });
  await writeFile(join(folder, 'web', 'dist', 'index.html'), `<title>Version ${version}</title>`);
  await writeFile(join(assets, `page-${version}.js`), `version ${version}`);
  return join(folder, 'server', 'src', 'main.ts');
}

test('workers that take over run the program that has replaced the folder of the old one', async () => {
  const [older, newer] = [await installProgram(1), await installProgram(2)];
  const folderOf = (program: string) => join(program, '../../..');
  const port = await freePort();
  const started = await startAlone({ PORT: String(port), WORKERS: '1' }, [], older);
  const told: string[] = [];
  started.child.stderr.on('data', (chunk: Buffer) => told.push(chunk.toString()));
  await once(started.child.stdout, 'data');
  const asset = async (version: number) => (await ask(port, { path: `/assets/page-${version}.js` })).status;
  expect(await asset(1)).toBe(200);
  await rename(folderOf(older), `${folderOf(older)}.old`);
  onTestFinished(() => rm(`${folderOf(older)}.old`, { recursive: true, force: true }));
  await rename(folderOf(newer), folderOf(older));
  started.child.kill('SIGHUP');
  await expect.poll(() => told.join(''), patient).toContain('the new workers have taken over');
  await expect.poll(() => asset(2), patient).toBe(200);
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});
