/** The database goes away for a moment. What a whole minute of it does to a server under load is in `processes`. */
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { type DatabaseRelay, openDatabaseRelay } from '../harness/database-relay.ts';
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

async function cut({ log }: TestServer, relay: DatabaseRelay): Promise<void> {
  await relay.cut();
  await expect.poll(() => log.join('')).toContain('the database does not respond');
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
    await cut(server, relay);
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

test.runIf(postgres)('many calls during an outage leave a few lines in the log', async () => {
  const { relay, server, account } = await startBehindRelay();
  await cut(server, relay);
  const before = server.log.length;
  const calls = Array.from({ length: 200 }, () =>
    call(server, '/api/v3/rest/get-account-info', { headers: { 'X-API-Key': account.apiKey } }),
  );
  for (const { status } of await Promise.all(calls)) expect(status).toBe(503);
  expect(server.log.length - before).toBeLessThan(20);
});

test.runIf(postgres)('links that were resolved lately go on, and their hits are written afterwards', async () => {
  const { relay, server, account } = await startBehindRelay();
  const [warm, cold] = [await uploadFile(server, account, 'warm'), await uploadFile(server, account, 'cold')];
  await download(server, warm);
  await cut(server, relay);
  expect(await download(server, warm)).toBe(sha256('warm'));
  const digest = await fetch(fileUrl(server, `${warm}.sha256`));
  expect(await digest.text()).toBe(sha256('warm'));
  expect(await download(server, cold)).toBe(503);
  await mend(server, relay);
  const hits = async () =>
    (await server.context.db.selectFrom('files').select('hits').where('name', '=', warm).executeTakeFirst())?.hits;
  await expect.poll(hits).toBe(2);
});

test.runIf(postgres)('links whose file or account this process has seen deleted do not go on', async () => {
  const { relay, server, account } = await startBehindRelay();
  const leaving = await signUpAndIn(server);
  const [kept, deleted] = [await uploadFile(server, account, 'kept'), await uploadFile(server, account, 'deleted')];
  const closed = await uploadFile(server, leaving, 'closed');
  for (const name of [kept, deleted, closed]) await download(server, name);
  await account.byKey.deleteFiles({ body: { files: [deleted] } });
  await leaving.browser.client.deleteAccount();
  await cut(server, relay);
  expect(await download(server, kept)).toBe(sha256('kept'));
  expect(await download(server, deleted)).toBe(503);
  expect(await download(server, closed)).toBe(503);
});

test.runIf(postgres)('a file is not served during an outage if its deletion got no response', async () => {
  const { relay, server, account } = await startBehindRelay();
  const [kept, deleted] = [await uploadFile(server, account, 'kept'), await uploadFile(server, account, 'deleted')];
  for (const name of [kept, deleted]) await download(server, name);
  relay.loseCommit('after the commit', { thenCut: true });
  const deletion = account.byKey.deleteFiles({ body: { files: [deleted] } });
  await expect(deletion).rejects.toMatchObject({ status: 503 });
  expect([await download(server, kept), await download(server, deleted)]).toEqual([sha256('kept'), 503]);
  await mend(server, relay);
  expect([await download(server, kept), await download(server, deleted)]).toEqual([sha256('kept'), 404]);
});

test.runIf(postgres)('a key change is announced although the one before it was lost', async () => {
  const { relay, server, account } = await startBehindRelay('', 'real');
  const { browser, email } = account;
  relay.loseCommit('before the commit');
  await expect(browser.client.changeApiKey()).rejects.toMatchObject({ status: 503 });
  expect(await server.mail.emails()).toEqual([]);
  await browser.client.changeApiKey();
  expect((await server.mail.emails()).map(({ to, subject }) => [to, subject])).toEqual([
    [email, 'Your Holdfast API key was changed'],
  ]);
});

test.runIf(postgres)(
  'after an outage the remembered links are dropped, because others may have deleted them',
  async () => {
    const { relay, server, account } = await startBehindRelay();
    const names = [await uploadFile(server, account, 'one'), await uploadFile(server, account, 'two')];
    const [one = '', two = ''] = names;
    for (const name of names) await download(server, name);
    await cut(server, relay);
    expect(await download(server, two)).toBe(sha256('two'));
    await mend(server, relay);
    await download(server, one);
    await cut(server, relay);
    expect([await download(server, one), await download(server, two)]).toEqual([sha256('one'), 503]);
  },
);

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
  await expect(running).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
  expect((await account.byKey.getAccountInfo()).account.info.email).toBe(account.email);
  expect(server.log.join('')).not.toContain('does not respond');
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
