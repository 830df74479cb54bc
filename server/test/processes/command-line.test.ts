/** The operator's command line as operators use it: a process beside a server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { checkSecret } from '../../src/accounts/api-key.ts';
import { readConfig } from '../../src/config/config.ts';
import { version } from '../../src/config/version.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import type { CommandEnd } from '../harness/command-host.ts';
import { blockOf } from '../harness/documented-blocks.ts';
import { holdfastJson, startHoldfast } from '../harness/holdfast.ts';
import { newPlace } from '../harness/new-place.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';

/** Each command of this file has a process of its own. */
async function holdfast(server: Parameters<typeof startHoldfast>[0], ...args: readonly string[]): Promise<CommandEnd> {
  return (await startHoldfast(server, args)).ended;
}

const entry = fileURLToPath(new URL('../../../cli/src/holdfast.mjs', import.meta.url));

test.each([
  [['frob'], "unknown command 'frob'"],
  [['file', 'take-down', 'abcd1234'], "required option '--case <reference>' not specified"],
  [['account', 'set-plan', 'ada@example.com', 'gold'], 'The plans are free, starter, basic, advanced, power, house.'],
  [['jobs', 'run', 'frob'], "There is no job 'frob'. Jobs: purge"],
  [['file', 'restore'], 'Name a file, or a case with --case.'],
])('%j is a usage error: status 2, and a sentence with the reason', async (args, sentence) => {
  await using server = await startServer();
  const { code, out, err } = await holdfast(server, ...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(sentence);
});

test.each([
  [['account', 'show', 'nobody@example.com'], "There is no open account 'nobody@example.com'."],
  [['file', 'show', 'abcd1234'], "There is no file named 'abcd1234', and there never was one."],
  [['file', 'restore', '--case', 'A'], "No file was taken down for the case 'A'."],
])('%j fails with status 1 and one sentence', async (args, sentence) => {
  await using server = await startServer();
  expect(await holdfast(server, ...args)).toEqual({ code: 1, out: '', err: `${sentence}\n` });
});

test('--version prints the version, and works without a database', async () => {
  const child = spawn(process.execPath, [entry, '--version'], { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(await text(child.stdout)).toBe(`${version}\n`);
});

test.each([
  [0, version, `Version ${version} is the newest.`],
  [3, '99.1.0', `Version 99.1.0 is there, and ${version} is installed.`],
])('update --check ends with %d if the newest release is %s', async (code, newest, out) => {
  const sums = `${'0'.repeat(64)}  holdfast-${newest}-linux-x64.tar.gz\n`;
  const releases = createServer((_request, response) => response.end(sums)).listen(0, '127.0.0.1');
  onTestFinished(() => void releases.close());
  await once(releases, 'listening');
  const url = `http://127.0.0.1:${(releases.address() as AddressInfo).port}/SHA256SUMS`;
  expect(await holdfast(await newPlace(), 'update', '--check', url)).toEqual({ code, out: `${out}\n`, err: '' });
});

test('a node for public links says what it needs', async () => {
  await using server = await startServer();
  const { database } = server.context.config;
  const missing =
    database.engine === 'sqlite'
      ? `DATABASE_URL is 'sqlite:${database.path}', but it must be that of PostgreSQL with --files-only.`
      : "DATABASE_READ_URL is '', but it must be set with --files-only.";
  expect(await holdfast(server, 'serve', '--files-only')).toEqual({ code: 1, out: '', err: `${missing}\n` });
});

test('--help describes a command with examples and exits with 0', async () => {
  await using server = await startServer();
  for (const args of [['fsck'], ['file', 'take-down']]) {
    const { code, out } = await holdfast(server, ...args, '--help');
    expect(code).toBe(0);
    expect(out).toContain(`Usage: holdfast ${args.join(' ')}`);
    expect(out).toMatch(/Examples:\n {2}holdfast /);
    expect(out).toContain('--json');
  }
});

test('without a database the command says how to create it, and creates nothing', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-none-'));
  const config = readConfig({ DATA_DIR: dataDir });
  const { code, err } = await holdfast({ dataDir, context: { config } }, 'stats');
  expect({ code, err }).toEqual({
    code: 1,
    err: `There is no database at ${join(dataDir, 'holdfast.db')} yet. Run 'holdfast migrate', or start the server once.\n`,
  });
  expect(await readdir(dataDir)).toEqual([]);
  expect((await holdfast({ dataDir, context: { config } }, 'migrate')).code).toBe(0);
  expect((await holdfast({ dataDir, context: { config } }, 'stats')).code).toBe(0);
  await rm(dataDir, { recursive: true });
});

test('a database newer or older than the program is refused with the next step', async () => {
  await using server = await startServer();
  const { db } = server.context;
  await db.insertInto('migrations').values({ name: '9999-later.sql', applied_at: 1 }).execute();
  expect(await holdfast(server, 'stats')).toEqual({
    code: 1,
    out: '',
    err: 'The database is newer than this program (it has 9999-later.sql). Install the newer version again.\n',
  });
  await db.deleteFrom('migrations').where('name', 'in', ['9999-later.sql', '0011-operators.sql']).execute();
  expect(await holdfast(server, 'stats')).toEqual({
    code: 1,
    out: '',
    err: "The database is older than this program (it has no 0011-operators.sql). Run 'holdfast migrate'.\n",
  });
});

test('stats counts accounts, files and bytes', async () => {
  await using server = await startServer();
  const [ada, bob] = [await signUpAndIn(server, { plan: 'power' }), await signUpAndIn(server)];
  await uploadFile(server, ada, 'the same');
  await uploadFile(server, bob, 'the same');
  await uploadFile(server, bob, 'another one');
  const [stats] = await holdfastJson(server, 'stats');
  expect(stats).toMatchObject({
    accounts: { open: 2, unverified: 0, active_last_30_days: 2 },
    plans: { free: 1, power: 1 },
    files: { live: 3, bytes: 27 },
    stored: { blobs: 2, bytes: 19 },
    unused: { blobs: 0 },
    takedowns: { open_cases: 0, repeat_infringers: 0 },
  });
});

test('on a full disk a command ends with one sentence and status 1', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-full-'));
  const config = readConfig({ DATA_DIR: dataDir });
  await holdfast({ dataDir, context: { config } }, 'migrate');
  const env = { ...programEnvironment, DATA_DIR: dataDir };
  await using full = await open('/dev/full', 'w');
  for (const args of [['stats'], ['fsck', '--help']]) {
    const stdio = ['ignore', full.fd, 'pipe'] as const;
    const child = spawn(process.execPath, [entry, ...args], { cwd: dataDir, env, stdio: [...stdio] });
    if (!child.stderr) throw new Error('unreachable: it is a pipe');
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ said, code }).toEqual({ said: 'Could not write: no space left on device.\n', code: 1 });
  }
  await rm(dataDir, { recursive: true });
});

test('a list ends with status 0 when its output is closed', async () => {
  await using server = await startServer();
  const rows = Array.from({ length: 3_000 }, (_, n) => ({
    id: `action-${String(n).padStart(5, '0')}`,
    at: n,
    operator: 'ada',
    action: 'file take-down',
    subject: 'x'.repeat(200),
    reference: null,
    details: '{}',
  }));
  for (let at = 0; at < rows.length; at += 500)
    await server.context.db
      .insertInto('operator_actions')
      .values(rows.slice(at, at + 500))
      .execute();
  const { child, ended } = await startHoldfast(server, ['audit', '--limit', '0']);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  // Its remaining output is lost with the reader; only its exit counts.
  ended.catch(() => {});
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a job runs by its name, and is recorded in the log of the operators', async () => {
  await using server = await startServer();
  expect(await holdfastJson(server, 'jobs', 'run', 'purge', '--dry-run')).toMatchObject([{ name: 'purge', blobs: 0 }]);
  expect(await holdfastJson(server, 'audit')).toEqual([]);
  expect(await holdfastJson(server, 'jobs', 'run', 'purge')).toMatchObject([{ name: 'purge', dry_run: false }]);
  expect(await holdfastJson(server, 'audit')).toMatchObject([{ action: 'jobs run', subject: 'purge' }]);
  const listed = await holdfastJson(server, 'jobs', 'list');
  expect(listed.find(({ name }) => name === 'purge')).toMatchObject({ running: false, last_error: null });
});

test('the log of the operators names the user who called sudo', async () => {
  await using server = await startServer();
  // It could delete lines of a terminal.
  const sudoUser = 'alice\u001B[2K';
  const { ended } = await startHoldfast(server, ['jobs', 'run', 'purge'], { SUDO_USER: sudoUser });
  expect(await ended).toMatchObject({ code: 0 });
  const { username } = userInfo();
  expect(await holdfastJson(server, 'audit', '--operator', sudoUser)).toMatchObject([
    { operator: username, sudo_user: sudoUser, action: 'jobs run' },
  ]);
  const { out } = await holdfast(server, 'audit');
  expect(out).toContain(`${username} (alice`);
  expect(out).not.toContain('\u001B');
});

test('a job beyond its deletion limit fails with two sentences', async () => {
  await using server = await startServer();
  await signUpAndIn(server);
  const { db } = server.context;
  const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const line = { account_id: id, event: 'inactivity', name: 'n', original_name: 'o', size: 1, happened_at: 0 } as const;
  for (let from = 0; from < 10_500; from += 500)
    await db
      .insertInto('activity')
      .values(Array.from({ length: 500 }, (_, at) => ({ ...line, id: `${from + at}` })))
      .execute();
  expect(await holdfast(server, 'jobs', 'run', 'delete-expired')).toEqual({
    code: 1,
    out: '',
    err:
      'warning: a job would delete too much, so it was stopped (job: delete-expired).\n' +
      'It would delete 10500 of 10500, which is implausibly much.\n',
  });
  expect(await holdfast(server, 'jobs', 'run', 'delete-expired', '--allow', '10499')).toMatchObject({
    code: 1,
    err: expect.stringContaining('It would delete 10500 of 10500, which is more than 10499.'),
  });
  expect(await holdfast(server, 'jobs', 'run', 'delete-expired', '--allow', '10500')).toMatchObject({ code: 0 });
});

test('purge-now requires --yes, and removes deleted bytes', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  const name = await uploadFile(server, ada, 'deleted');
  await uploadFile(server, ada, 'kept');
  await ada.browser.client.deleteFiles({ body: { files: [name] } });
  expect(await holdfast(server, 'purge-now')).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
  expect(await holdfastJson(server, 'purge-now', '--dry-run')).toMatchObject([{ blobs: 1, bytes: 7 }]);
  expect(await holdfastJson(server, 'purge-now', '--yes')).toMatchObject([{ blobs: 1, bytes: 7 }]);
  expect(await holdfastJson(server, 'fsck')).toMatchObject([{ summary: { findings: 0 } }]);
});

test('Ctrl-C stops a long command with a message', async () => {
  await using server = await startServer();
  await seedBlobs(server, 200_000);
  const { child, ended } = await startHoldfast(server, ['fsck']);
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 1, err: 'Stopped. Completed steps are kept.\n' });
});

/** Inserts rows of blobs without bytes: fsck reports each of them. */
async function seedBlobs({ context: { db } }: TestServer, blobs: number): Promise<void> {
  await sql`
    INSERT INTO blobs (id, sha256, size, used_by, unused_since, created_at)
    WITH RECURSIVE numbers (n) AS (
      SELECT cast(${sql.lit(1)} AS bigint) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(blobs)}
    )
    SELECT 'blob ' || (1000000 + n), 'digest ' || n, 1, 1, NULL, 1 FROM numbers`.execute(db);
}

test('serve runs the server, with the settings of the command', async () => {
  await using server = await startServer();
  const { child, ended } = await startHoldfast(server, ['serve'], { PORT: '0' });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const [, url] = /listening on (http:\/\/localhost:\d+)/.exec(chunk.toString()) ?? [];
  expect((await fetch(`${url}/api/v3/session/server-info`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0 });
});

test('the command passes its status on, and reads the settings file that it is given', async () => {
  await using folder = await settingsIn('PORT=eighty');
  const ended = await runIn(folder.path, ['stats', '--settings', '.env']);
  expect(ended).toEqual({ said: "PORT is 'eighty', but it must be a number from 0 to 65535.\n", code: 1 });
});

const root = fileURLToPath(new URL('../../../', import.meta.url));
const commandOf = (block: string) =>
  block
    .trim()
    .replace(/^cd \S+ && sudo -u \w+ /, '')
    .split(' ');

test.each<[string, readonly string[]]>([
  ['the documented command', commandOf(blockOf('docs/operations.md', 'The command line', 'sh'))],
  ['the link of npm', ['node_modules/.bin/holdfast', 'stats']],
  ['the program of the package', ['cli/src/holdfast.mjs', 'stats']],
  ['npm run', ['npm', 'run', '--silent', 'holdfast', '--', 'stats']],
  ['npm start', ['npm', 'start', '--silent', '--']],
])('%s refuses a file that Node itself would read, and runs nothing of it', async (_name, [program = '', ...args]) => {
  await using folder = await settingsIn('');
  const [code, ran] = [join(folder.path, 'code.mjs'), join(folder.path, 'ran')];
  await writeFile(code, `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(ran)}, '');`);
  await writeFile(join(folder.path, '.env'), `NODE_OPTIONS=--import=${code}`);
  for (const option of ['--env-file', '--env-file-if-exists']) {
    const child = spawn(program, [...args, `${option}=${join(folder.path, '.env')}`], {
      cwd: root,
      env: programEnvironment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(said).toBe(`${option} is an option of Node itself. Name the settings file with --settings.\n`);
    expect(status).toBe(2);
    expect(await readdir(folder.path)).not.toContain('ran');
  }
});

test('migrate in the folder of somebody else ignores its settings and deletes nothing behind its links', async () => {
  await using folder = await settingsIn('BLOBS_URL=file:theirs');
  const [precious, dataDir] = [join(folder.path, 'precious'), join(folder.path, 'data')];
  const hoursAgo = new Date(Date.now() - 3_600_000);
  await mkdir(precious);
  await writeFile(join(precious, 'kept'), 'kept');
  await utimes(join(precious, 'kept'), hoursAgo, hoursAgo);
  await mkdir(join(folder.path, 'theirs'));
  await symlink(precious, join(folder.path, 'theirs', 'tmp'));

  expect(await runIn(folder.path, ['migrate'], { DATA_DIR: dataDir })).toEqual({ said: '', code: 0 });
  expect(await readdir(dataDir)).toContain('blobs');

  const theirs = { DATA_DIR: dataDir, BLOBS_URL: `file:${join(folder.path, 'theirs')}` };
  expect(await runIn(folder.path, ['migrate'], theirs)).toEqual({
    said: `BLOBS_URL cannot be used: ${join(folder.path, 'theirs', 'tmp')} is a symbolic link, and must be a folder.\n`,
    code: 1,
  });
  expect(await readdir(precious)).toEqual(['kept']);
});

async function settingsIn(settings: string) {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-settings-'));
  await writeFile(join(path, '.env'), settings, { mode: 0o600 });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

async function runIn(cwd: string, args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = { ...programEnvironment, ...settings };
  const child = spawn(process.execPath, [entry, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { said, code: Number(code) };
}

test('a command refuses another secret key than the one of its service until it is accepted', async () => {
  await using server = await startServer();
  await checkSecret(server.context);
  await writeFile(join(server.dataDir, 'secret.key'), 'k'.repeat(64));
  for (const args of [['stats'], ['account', 'create', 'ada@example.com'], ['migrate']])
    expect(await holdfast(server, ...args)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^SECRET_KEY cannot be used: .*'holdfast migrate --new-secret-key' accepts this one/),
    });
  expect(await holdfast(server, 'migrate', '--new-secret-key')).toMatchObject({ code: 0, err: '' });
  expect(await holdfastJson(server, 'audit')).toMatchObject([{ action: 'migrate', details: { newSecretKey: true } }]);
});
