/** The database goes away for a moment. What a whole minute of it does to a server under load is in `processes`. */
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { DatabaseUnavailable } from '../../src/storage/db/database.ts';
import { openConnections } from '../../src/storage/db/postgres-connections.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { type DatabaseRelay, openDatabaseRelay, openSlowRelay } from '../harness/database-relay.ts';
import { newPlace } from '../harness/new-place.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { createMigratedDatabase } from '../harness/test-database.ts';
import { download, fileUrl, formWith, sendForm, sha256, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';

/** A server that reaches its database through a relay, and an account with some files. */
async function startBehindRelay(settings = '', limits: 'none' | 'real' = 'none') {
  const database = await createMigratedDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const relay = await openDatabaseRelay(database.url ?? '');
  const server = await startServer({ DATABASE_URL: relay.url + settings }, { limits });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const account = await signUpAndIn(server, { plan: 'power' });
  return { relay, server, account };
}

async function mend({ context }: TestServer, relay: DatabaseRelay): Promise<void> {
  await relay.mend();
  await expect
    .poll(() =>
      sql`SELECT 1`.execute(context.db).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
}

const unavailable = 'The service is not available right now. Try again later.';

test.runIf(postgres)(
  'during an outage every kind of call is 503 in its own shape, and afterwards all is as before',
  async () => {
    const { relay, server, account } = await startBehindRelay();
    const warm = await uploadFile(server, account);
    await account.byKey.getAccountInfo();
    await relay.cut();
    const byKey = { headers: { 'X-API-Key': account.apiKey } };
    const info = await call(server, '/api/v3/rest/get-account-info', byKey);
    expect(info).toMatchObject({ status: 503, json: { success: false, error: { code: 'UNAVAILABLE' } } });
    const form = formWith('more');
    const upload = await fetch(`${server.url}/api/v3/upload`, { method: 'POST', ...byKey, body: form });
    expect([upload.status, await upload.json()]).toEqual([503, { success: false, error: unavailable }]);
    const link = await fetch(fileUrl(server, 'neverSeenHere'));
    expect([link.status, await link.text()]).toEqual([503, `${unavailable}\n`]);
    for (const { headers } of [info, upload, link]) expect(headers.get('Retry-After')).toBe('2');
    await mend(server, relay);
    expect((await call(server, '/api/v3/rest/get-account-info', byKey)).status).toBe(200);
    expect(await download(server, warm)).toBe(sha256('hello'));
    expect(await storedNames(server)).toHaveLength(1);
  },
);

test.runIf(postgres)('while PostgreSQL hangs, every kind of call and link is refused within five seconds', async () => {
  const database = await createMigratedDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const relay = await openSlowRelay(database.url ?? '');
  const server = await startServer({ DATABASE_URL: relay.url });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const account = await signUpAndIn(server, { plan: 'power' });
  relay.silence(Infinity);
  const headers = { 'X-API-Key': account.apiKey };
  // More calls than connections: the last ones wait for one as well.
  const paths = Array.from({ length: 30 }, (_, n) =>
    n % 2 === 0 ? '/api/v3/rest/get-account-info' : `/file/name${n}`,
  );
  const ask = async (path: string, init: RequestInit = {}) => {
    const startedAt = performance.now();
    const { status } = await fetch(server.url + path, { headers, ...init });
    return { status, isSoon: performance.now() - startedAt < 5_500 };
  };
  const upload = ask('/api/v3/upload', { method: 'POST', body: formWith('more') });
  for (const answer of await Promise.all([upload, ...paths.map((path) => ask(path))]))
    expect(answer).toEqual({ status: 503, isSoon: true });
});

test.runIf(postgres)('while the outcome of a commit is unknown, the bytes are kept', async () => {
  const { relay, server, account } = await startBehindRelay();
  relay.loseCommit('after the commit', { thenCut: true });
  const key = 'the same upload';
  expect(await sendForm(server, account, formWith('unknown'), { key })).toMatchObject({ status: 503 });
  expect(await storedNames(server)).toHaveLength(1);
  await mend(server, relay);
  const { status, url } = await sendForm(server, account, formWith('unknown'), { key });
  expect(status).toBe(200);
  const stored = await server.context.db.selectFrom('files').select('name').execute();
  expect(stored).toEqual([{ name: new URL(url).pathname.replace(/^\/file\/|\..*$/g, '') }]);
  expect(await download(server, stored[0]?.name ?? '')).toBe(sha256('unknown'));
});

test.runIf(postgres)('a terminated connection costs the call that used it, and no other', async () => {
  const { server, account } = await startBehindRelay();
  const { db } = server.context;
  const running = db.transaction().execute(async (tx) => {
    await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(tx);
  });
  await expect(running).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect((await account.byKey.getAccountInfo()).account.info.email).toBe(account.email);
});

test.runIf(postgres)('a call that waits too long for a lock is 503, and its connection is used again', async () => {
  const { server, account } = await startBehindRelay('?lock_timeout=100');
  const { db } = server.context;
  await db.transaction().execute(async (tx) => {
    await sql`LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE`.execute(tx);
    const info = await call(server, '/api/v3/rest/get-account-info', { headers: { 'X-API-Key': account.apiKey } });
    expect(info).toMatchObject({ status: 503, json: { error: { code: 'UNAVAILABLE' } } });
    expect(info.headers.get('Retry-After')).toBe('2');
  });
  expect((await account.byKey.getAccountInfo()).account.info.email).toBe(account.email);
});

test.runIf(postgres)('a statement without a response fails, and the next one gets another connection', async () => {
  const { environment } = await newPlace();
  const relay = await openSlowRelay(environment.DATABASE_URL ?? '');
  const config = { connectionString: relay.url, max: 1, query_timeout: 300, connectionTimeoutMillis: 2_000 };
  const connections = openConnections(config, { warn: () => {} });
  const client = await connections.connect();
  await client.query('select 1', []);
  relay.silence();
  const waiting = [client.query('select 2', []), client.query('select 3', [])];
  for (const each of await Promise.allSettled(waiting))
    expect(each).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) });
  client.release();
  const next = await connections.connect();
  expect(await next.query('select 4 as four', [])).toMatchObject({ rows: [{ four: 4 }] });
  next.release();
  await connections.end();
});
