/** A node for public links alone. Its two databases are one here; `processes/mirror.test.ts` has a real replica. */
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { checkStorage } from '../../src/storage/blobs/storage-owner.ts';
import { filesPages } from '../../src/mirror/files-node.ts';
import { policies } from '../delivery/policies.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { blobsOf, startMirror, type TestMirror } from '../harness/start-mirror.ts';
import { openLine } from '../harness/raw-http.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { createTestDatabase } from '../harness/test-database.ts';
import { sha1, sha256, uploadFile } from '../harness/uploads.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';

async function startAlone(environment: Record<string, string> = {}) {
  const server = await startServer(environment);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** A service, and a node for its public links. */
async function startBoth(environment: Record<string, string> = {}) {
  const server = await startAlone(environment);
  const mirror = await startMirror(settingsOf(server, environment));
  onTestFinished(() => mirror[Symbol.asyncDispose]());
  return { server, mirror, account: await signUpAndIn(server, { plan: 'power' }) };
}

function settingsOf({ context: { config } }: TestServer, environment: Record<string, string> = {}) {
  if (config.database.engine !== 'postgres') throw new Error('It needs PostgreSQL.');
  const { url } = config.database;
  return { DATABASE_URL: url, DATABASE_READ_URL: url, ...blobsOf(config.blobs), ...environment };
}

async function get(mirror: TestMirror, host: string, path: string, method = 'GET', body?: string) {
  using line = openLine({ port: Number(new URL(mirror.url).port) });
  const headers = { Host: host, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
  return await line.send(method, path, headers, body);
}

const separate = { PUBLIC_URL: 'https://app.example', FILE_ORIGINS: 'https://files.example,https://mirror.example' };

test.runIf(postgres)('it serves links, digests and the speed test, and counts hits', async () => {
  const { server, mirror, account } = await startBoth();
  const name = await uploadFile(server, account, 'hello');
  const text = async (rest: string) => (await fetch(`${mirror.url}/file/${rest}`)).text();
  expect(await text(name)).toBe('hello');
  expect(await text(`${name}.txt?no-count=true`)).toBe('hello');
  expect(await text(`${name}.sha256`)).toBe(sha256('hello'));
  expect(await text(`${name}.sha1`)).toBe(sha1('hello'));
  expect(await server.context.db.selectFrom('blobs').select('sha1').execute()).toEqual([{ sha1: sha1('hello') }]);
  expect((await fetch(`${mirror.url}/speed-test/250MB.bin?tier=free`, { method: 'HEAD' })).status).toBe(200);
  const hits = () => server.context.db.selectFrom('files').select('hits').execute();
  await expect.poll(hits).toEqual([{ hits: 1 }]);
});

test.runIf(postgres)('a host for files has the same answers as on any other node', async () => {
  const { server, mirror, account } = await startBoth(separate);
  const name = await uploadFile(server, account, 'hello');
  expect(await get(mirror, 'mirror.example', `/file/${name}`)).toMatchObject({ status: 200, text: 'hello' });
  expect((await get(mirror, 'mirror.example', '/robots.txt')).text).toContain('Disallow: /');
  for (const path of ['/', '/sign-in', '/api/v3/session/server-info', '/readyz', '/metrics'])
    for (const method of ['GET', 'POST'])
      expect(await get(mirror, 'files.example', path, method), `${method} ${path}`).toMatchObject({
        status: 404,
        text: 'There is no such file.\n',
      });
  const wrong = await get(mirror, 'files.example', `/file/${name}`, 'POST', '{}');
  expect(wrong).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
  expect(wrong.headers['content-security-policy']).toBe(policies.plain);
  expect(await get(mirror, 'unknown.example', `/file/${name}`)).toMatchObject({ status: 421 });
});

test.runIf(postgres)('what belongs to the app is refused with 421 and its address, whatever the method', async () => {
  const { server, mirror, account } = await startBoth(separate);
  const name = await uploadFile(server, account, 'hello');
  const message = 'This server only serves files. Everything else is at https://app.example.';
  for (const [method, path, body] of [
    ['GET', '/'],
    ['GET', '/sign-in'],
    ['GET', '/robots.txt'],
    ['GET', '/api/v3/session/server-info'],
    ['POST', '/api/v3/session/login', '{"email":"a@example.com","password":"Correct-Horse-7"}'],
    ['POST', '/api/v3/upload', '{}'],
    ['DELETE', '/api/v3/rest/delete-files', '{}'],
    ['POST', '/payment-events', '{}'],
  ] as const) {
    const answer = await get(mirror, 'app.example', path, method, body);
    expect(answer, `${method} ${path}`).toMatchObject({ status: 421 });
    const error = path === '/api/v3/upload' ? message : { code: 'MISDIRECTED', message };
    expect(JSON.parse(answer.text)).toEqual({ success: false, error });
  }
  expect(await get(mirror, 'app.example', '/livez')).toMatchObject({ status: 200, text: 'ok\n' });
  const link = await get(mirror, 'app.example', `/file/${name}`);
  expect(link).toMatchObject({ status: 307, headers: { location: `https://files.example/file/${name}` } });
});

test.runIf(postgres)('the private port says which database is read, and metrics have the region', async () => {
  const { mirror } = await startBoth({ REGION: 'Frankfurt' });
  const text = async (path: string) => (await fetch(mirror.privateUrl + path)).text();
  expect(await text('/readyz')).toMatch(
    /^degraded\ndatabase: ok\nmigrations: ok\nstorage: ok\nreplica: it is no hot standby\nversion: \S+\n$/,
  );
  const metrics = await text('/metrics');
  for (const line of [
    'holdfast_database_up{region="Frankfurt"} 1',
    'holdfast_replica_used{region="Frankfurt"} 0',
    'holdfast_replica_stale_seconds{region="Frankfurt"} +Inf',
    'holdfast_ready{region="Frankfurt"} 1',
    'holdfast_database_calls_waiting{region="Frankfurt"} 0',
  ])
    expect(metrics.split('\n')).toContain(line);
  expect(mirror.log.join('')).toContain('"region":"Frankfurt"');
});

test.runIf(postgres)('a replica of another service stops the start', async () => {
  const [server, other] = [await startAlone(), await startAlone()];
  for (const { context } of [server, other]) await checkStorage(context);
  const settings = { ...settingsOf(server), DATABASE_READ_URL: settingsOf(other).DATABASE_READ_URL };
  await expect(startMirror(settings)).rejects.toThrow(
    'DATABASE_READ_URL cannot be used: it is no replica of DATABASE_URL.',
  );
});

test.runIf(postgres)('it never migrates: a database without the schema is refused, and stays as it is', async () => {
  await using database = await createTestDatabase();
  const url = database.url ?? '';
  const opening = startMirror({ DATABASE_URL: url, DATABASE_READ_URL: url });
  await expect(opening).rejects.toThrow("The database is empty. Run 'holdfast migrate', or start the server once.");
  const server = await startAlone();
  const { rows } = await sql`
    SELECT 1 FROM pg_tables WHERE schemaname = ${/search_path%3D(\w+)/.exec(url)?.[1]}`.execute(server.context.db);
  expect(rows).toEqual([]);
});

test.runIf(postgres)(
  'beside a newer schema a node goes on, unless it lacks what the node uses, and none starts',
  async () => {
    const { server, mirror } = await startBoth();
    const migrate = async (name: string) =>
      server.context.db.insertInto('migrations').values({ name, applied_at: 0 }).execute();
    const { readyz } = filesPages(mirror.context);
    await migrate('9998-more.sql');
    expect(await readyz()).toMatchObject({ status: 200, body: expect.stringContaining('migrations: ok') as string });
    await migrate('9999-less.needs-9998.sql');
    expect(await filesPages(mirror.context).readyz()).toMatchObject({
      status: 503,
      body: expect.stringContaining('a newer version has applied 9999-less.needs-9998.sql') as string,
    });
    await expect(startMirror(settingsOf(server))).rejects.toThrow('The database is newer than this program');
  },
);

/** PgBouncer does not tell. */
const knowsDatabases = postgres && !process.env['TEST_POOLER'];
test.runIf(knowsDatabases).each(['DATABASE_URL', 'DATABASE_READ_URL'])(
  'a %s that cannot be used stops the start with one sentence that names it',
  async (variable) => {
    const settings = settingsOf(await startAlone());
    const wrong = new URL(settings.DATABASE_URL);
    wrong.pathname = '/nosuchdatabase';
    await expect(startMirror({ ...settings, [variable]: wrong.href })).rejects.toThrow(
      `${variable} cannot be used: database "nosuchdatabase" does not exist.`,
    );
  },
);
