/** Another program holds locks of PostgreSQL: calls are refused soon, or wait for a transaction of their account. */
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { upload as storeUpload } from '../../src/uploads/keep.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { startLimited } from '../harness/limited-server.ts';
import { onePart } from '../harness/one-part.ts';
import { startServer } from '../harness/start-server.ts';
import { createMigratedDatabase } from '../harness/test-database.ts';
import { download, fileUrl, formWith, sha256, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';
/** Longer than two rounds of calls that are refused in time. */
const lockedFor = 8_000;

async function startOnDatabase(start = startServer) {
  const database = await createMigratedDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const server = await start({ DATABASE_URL: database.url ?? '' });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const account = await signUpAndIn(server, { plan: 'power' });
  return { server, account, url: database.url ?? '' };
}

/** Another program that has begun a transaction. */
async function inTransaction(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  // The database is dropped before the connection is closed if the test fails.
  client.on('error', () => {});
  onTestFinished(() => client.end());
  await client.connect();
  await client.query('BEGIN');
  return client;
}

/** Returns the status of a response and whether it has what its status needs, if it came soon enough. */
async function soon(ms: number, request: () => Promise<Response>): Promise<string> {
  const startedAt = performance.now();
  const response = await request();
  await response.arrayBuffer();
  const took = performance.now() - startedAt;
  if (took > ms) return `${response.status} after ${Math.round(took)} ms`;
  return `${response.status}${response.status === 503 ? ` Retry-After: ${response.headers.get('Retry-After')}` : ''}`;
}

for (const table of ['files', 'counters'])
  test.runIf(postgres)(`while the table ${table} is locked, known links go on and calls are 503 soon`, async () => {
    const { server, account, url } = await startOnDatabase(table === 'counters' ? startLimited : startServer);
    const [warm, cold] = [await uploadFile(server, account, 'warm'), await uploadFile(server, account, 'cold')];
    await download(server, warm);
    let addresses = 0;
    const api = (path: string, init: RequestInit = {}) => {
      const headers = { 'X-API-Key': account.apiKey, 'X-Forwarded-For': `192.0.2.${(addresses += 1)}` };
      return fetch(server.url + path, { ...init, headers: { ...headers, ...init.headers } });
    };
    const deletion = {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ files: [cold] }),
    };
    const calls = {
      unknown: () => fetch(fileUrl(server, 'neverSeenHere')),
      list: () => api('/api/v3/rest/get-file-list'),
      upload: () => api('/api/v3/upload', { method: 'POST', body: formWith('more') }),
      deletion: () => api('/api/v3/rest/delete-files', deletion),
    };
    const other = await inTransaction(url);
    await other.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const unlocked = wait(lockedFor).then(() => other.query('COMMIT'));
    for (let round = 0; round < 2; round += 1) {
      const links = Array.from({ length: 3 }, () => soon(3_000, () => fetch(fileUrl(server, warm))));
      const others = Object.entries(calls).map(async ([name, request]) => [name, await soon(3_500, request)]);
      expect(await Promise.all(links)).toEqual(['200', '200', '200']);
      const refused = Object.keys(calls).map((name) => [name, '503 Retry-After: 2']);
      expect(await Promise.all(others)).toEqual(refused);
    }
    await unlocked;
    expect(await download(server, cold)).toBe(sha256('cold'));
    expect(await download(server, await uploadFile(server, account, 'later'))).toBe(sha256('later'));
    expect((await account.byKey.getAccountInfo()).account.usage).toMatchObject({ slots_used: 3 });
    expect(await storedNames(server)).toHaveLength(3);
  });

test.runIf(postgres)(
  'while the row of an account is locked, its calls and those of other accounts end soon',
  async () => {
    const { server, account, url } = await startOnDatabase();
    const neighbor = await signUpAndIn(server, { plan: 'power' });
    const [own, cold] = [await uploadFile(server, account, 'own'), await uploadFile(server, neighbor, 'cold')];
    // Their next calls are noted.
    await server.context.db.updateTable('accounts').set({ last_active_at: 0 }).execute();
    const other = await inTransaction(url);
    await other.query('SELECT id FROM accounts WHERE email = $1 FOR UPDATE', [account.email]);
    const api = (apiKey: string, path: string, init: RequestInit = {}) =>
      fetch(server.url + path, { ...init, headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' } });
    const deletion = { method: 'DELETE', body: JSON.stringify({ files: [own] }) };
    // More than there are connections.
    const deletions = Array.from({ length: 24 }, () =>
      soon(3_000, () => api(account.apiKey, '/api/v3/rest/delete-files', deletion)),
    );
    await wait(300);
    const others = [
      soon(2_500, () => api(neighbor.apiKey, '/api/v3/rest/get-account-info')),
      soon(2_500, () => fetch(fileUrl(server, cold))),
      soon(2_500, () => api(account.apiKey, '/api/v3/rest/get-account-info')),
    ];
    expect(await Promise.all(others)).toEqual(['200', '200', '200']);
    expect(new Set(await Promise.all(deletions))).toEqual(new Set(['503 Retry-After: 2']));
    await other.query('COMMIT');
    expect((await account.byKey.deleteFiles({ body: { files: [own] } })).deleted).toEqual([own]);
  },
);

test.runIf(postgres)('40 uploads at once wait for a long transaction of their account', async () => {
  const { server, account, url } = await startOnDatabase();
  const other = await inTransaction(url);
  await other.query('SELECT id FROM accounts FOR UPDATE');
  const { db } = server.context;
  const row = await db.selectFrom('accounts').selectAll().where('email', '=', account.email).executeTakeFirstOrThrow();
  const caller = { account: row, by: 'key', sessionId: null, confirmedAt: 0 } as const;
  // Calls the function, because a process accepts four uploads of an account at a time.
  const uploads = Promise.allSettled(
    Array.from({ length: 40 }, (_, i) =>
      storeUpload(server.context, { forget() {} }, caller, onePart(Buffer.from(`bytes ${i}`))),
    ),
  );
  // Longer than other transactions wait for a row, and shorter than the wait for a connection.
  await wait(2_000);
  await other.query('COMMIT');
  expect((await uploads).filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(await storedNames(server)).toHaveLength(40);
});
