/** The process as an operator sees it: its output when it starts or cannot start, and how it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { version as programVersion } from '../../src/config/version.ts';
import { readConfig } from '../../src/config/config.ts';
import { holdfastJson } from '../harness/holdfast.ts';
import { startIngest } from '../stand-ins/sentry-ingest.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';

const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

async function startProcess(environment: Record<string, string> = {}, program = entry) {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-process-'));
  // No later start would use the compiled code of a copy, and nothing would delete it.
  const inherited = program === entry ? programEnvironment : { PATH: programEnvironment.PATH };
  const env = { ...inherited, DATA_DIR: dataDir, PORT: '0', SHUTDOWN_DELAY: '0', ...environment };
  const child = spawn(process.execPath, [program], { env, cwd: dataDir, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit').then(([code]: unknown[]) => code);
  return {
    child,
    ended,
    dataDir,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

test.each([
  [{ PORT: 'eighty' }, "PORT is 'eighty', but it must be a number from 0 to 65535."],
  [{ DATA_DIR: entry }, `DATA_DIR cannot be used: EEXIST: file already exists, mkdir '${entry}'.`],
  [{ BLOBS_URL: `file:${entry}` }, /^BLOBS_URL cannot be used: .+\.$/],
  [{ MAIL_URL: `outbox:${entry}` }, /^MAIL_URL cannot be used: .+\.$/],
  [
    { DATABASE_URL: `sqlite:${entry}` },
    new RegExp(`^DATABASE_URL cannot be used: file is not a database \\(${entry}\\)\\.$`),
  ],
  [{ HOST: '999.1.1.1' }, /^HOST or PORT cannot be used: .+\.$/],
])('with %j the start fails with one sentence', async (environment, sentence) => {
  await using started = await startProcess(environment);
  const said = await text(started.child.stderr);
  expect(await started.ended).toBe(1);
  expect(said.trim().split('\n')).toEqual([typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)]);
  expect(said).not.toContain('secret');
});

test('a start that cannot write its secret leaves no half secret behind', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-process-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: '0' };
  // The shell lets the process create files, but not write into them.
  const full = spawn('sh', ['-c', 'ulimit -f 0; exec "$0" "$1"', process.execPath, entry], { env, cwd: dataDir });
  await once(full, 'exit');
  await using started = await startProcess({ DATA_DIR: dataDir });
  const said = once(started.child.stdout, 'data').then(([line]: unknown[]) => String(line));
  expect(await Promise.race([said, started.ended])).toMatch(/^Holdfast \S+ is listening/);
});

test('a storage that belongs to another service stops the start, and is left as it is', async () => {
  await using first = await startProcess();
  await once(first.child.stdout, 'data');
  const blobs = join(first.dataDir, 'blobs');
  const mark = await readFile(join(blobs, 'service-id'), 'utf8');
  await using second = await startProcess({ BLOBS_URL: `file:${blobs}` });
  const [said, code] = await Promise.all([text(second.child.stderr), second.ended]);
  expect(said).toMatch(
    /^BLOBS_URL cannot be used: The storage belongs to the service \S+, and the database to \S+\. .+\.$/m,
  );
  expect(code).toBe(1);
  expect(await readFile(join(blobs, 'service-id'), 'utf8')).toBe(mark);
});

test('a storage that is not mounted stops the start before it listens, until an operator adopts it', async () => {
  await using folder = await openFolder();
  const env = { DATA_DIR: folder.path, PORT: '0' };
  {
    await using first = await startProcess(env);
    await once(first.child.stdout, 'data');
  }
  await rename(join(folder.path, 'blobs'), join(folder.path, 'mounted'));
  await using second = await startProcess(env);
  const [line, said, code] = await Promise.all([text(second.child.stdout), text(second.child.stderr), second.ended]);
  expect([line, code]).toEqual(['', 1]);
  expect(said).toMatch(/^BLOBS_URL cannot be used: The storage has no service-id, .+ 'holdfast storage adopt'\.$/m);
  const place = { dataDir: folder.path, context: { config: readConfig(env) } };
  for (const adopted of [true, false])
    expect(await holdfastJson(place, 'storage', 'adopt', '--yes')).toEqual([{ adopted }]);
  await using third = await startProcess(env);
  expect(String((await once(third.child.stdout, 'data'))[0])).toContain('is listening');
});

test('a port in use is named', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  await using started = await startProcess({ PORT: String(port) });
  expect(await text(started.child.stderr)).toMatch(
    new RegExp(`^HOST or PORT cannot be used: .*EADDRINUSE.*${port}\\.$`, 'm'),
  );
  expect(await started.ended).toBe(1);
  taken.close();
});

test('in an open data folder the server writes closed files, and names what others can read', async () => {
  await using folder = await openFolder();
  const dataDir = folder.path;
  await using started = await startProcess({ DATA_DIR: dataDir });
  await once(started.child.stdout, 'data');
  for (const name of ['holdfast.db', 'holdfast.db-wal', 'secret.key'])
    expect([name, ((await stat(join(dataDir, name))).mode & 0o777).toString(8)]).toEqual([name, '600']);
  started.child.kill('SIGTERM');
  expect(await text(started.child.stderr)).toContain(JSON.stringify({ paths: [dataDir] }).slice(1, -1));
});

async function openFolder() {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-open-'));
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test('an uncaught error ends the process after it is reported', async () => {
  await using ingest = await startIngest();
  const module = `process.on('SIGUSR2', () => { throw new Error('the sea rose'); });`;
  const fault = `--import=data:text/javascript;base64,${Buffer.from(module).toString('base64')}`;
  await using started = await startProcess({ NODE_OPTIONS: fault, SENTRY_DSN: ingest.dsn });
  await once(started.child.stdout, 'data');
  started.child.kill('SIGUSR2');
  expect(await text(started.child.stderr)).toContain('the sea rose');
  expect(await started.ended).toBe(1);
  expect(ingest.itemsOf('event')).toMatchObject([
    { tags: { where: 'process' }, exception: { values: [{ value: 'the sea rose' }] } },
  ]);
});

test('the private port is logged, and a private port in use stops the start', async () => {
  await using started = await startProcess({ METRICS_PORT: '0' });
  const [line] = (await once(started.child.stderr, 'data')) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(`${url}/readyz`)).text()).toBe(
    `ok\ndatabase: ok\nmigrations: ok\nstorage: ok\nversion: ${programVersion}\n`,
  );
  await using second = await startProcess({ METRICS_PORT: new URL(url).port });
  expect(await text(second.child.stderr)).toMatch(/^METRICS_HOST or METRICS_PORT cannot be used: .*EADDRINUSE/m);
  expect(await second.ended).toBe(1);
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});

test('the process prints its version and address, the link of its first owner and its folder, serves there, and exits with 0 on SIGTERM', async () => {
  await using started = await startProcess({});
  const [chunk] = (await once(started.child.stdout, 'data')) as [Buffer];
  const [, said = '', url = '', link = ''] =
    /^Holdfast (\S+) is listening on (http:\/\/localhost:\d+)\nNobody has an account yet\. Make yours, without limits: (http\S+)\nEverything is kept in \/\S+\n$/.exec(
      chunk.toString(),
    ) ?? [];
  expect(said).toBe(programVersion);
  expect(link).toMatch(new RegExp(`^${url}/sign-up#invitation=\\S{32}$`));
  expect((await fetch(`${url}/api/v3/session/server-info`)).status).toBe(200);
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});

test('1,000 visitors who arrive at one moment are all connected before the process accepts one', async () => {
  await using started = await startProcess({});
  const [chunk] = (await once(started.child.stdout, 'data')) as [Buffer];
  const port = Number(/:(\d+)\n/.exec(chunk.toString())?.[1]);
  // The system accepts connections for a process that is stopped.
  started.child.kill('SIGSTOP');
  const visitors = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => visitors.forEach((visitor) => visitor.destroy()));
  await expect.poll(() => visitors.filter(({ readyState }) => readyState === 'open').length).toBe(1_000);
});
