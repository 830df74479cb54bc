import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { test } from 'vitest';
import { openHitCounter } from '../../src/delivery/hits.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { startServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';

/** Hits are written every second. */
const written = { interval: 50 };

// Most tests wait for that second, concurrently.

async function listed(account: SignedIn, name: string) {
  const { files } = await account.byKey.getFileList({ query: {} });
  return files.find((file) => file.name === name);
}

test.concurrent('a download is a hit, and the list shows it with its time soon after', async ({ expect }) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account);
  expect(await listed(account, name)).toMatchObject({ hits: 0, last_accessed: null });
  server.clock.advance(5_000);
  await (await fetch(fileUrl(server, name))).text();
  const last_accessed = new Date(server.clock.now()).toISOString();
  await expect.poll(() => listed(account, name), written).toMatchObject({ hits: 1, last_accessed });
});

test('1,000 concurrent downloads are 1,000 hits', async ({ expect }) => {
  await using server = await startServer();
  const account = await signUpAndIn(server, { plan: 'power' });
  const [name, other] = [await uploadFile(server, account), await uploadFile(server, account)];
  await Promise.all(
    Array.from({ length: 1_000 }, async (_, at) => (await fetch(fileUrl(server, at % 4 === 0 ? other : name))).text()),
  );
  await expect.poll(async () => (await listed(account, name))?.hits, written).toBe(750);
  await expect.poll(async () => (await listed(account, other))?.hits, written).toBe(250);
});

test.concurrent('HEAD, digests, previews and missing files are not hits', async ({ expect }) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const [quiet, counted] = [await uploadFile(server, account), await uploadFile(server, account)];
  const get = async (rest: string, method = 'GET') => (await fetch(fileUrl(server, rest), { method })).text();
  await get(quiet, 'HEAD');
  await get(`${quiet}.sha256`);
  await get(`${quiet}.txt.sha256`);
  await get(`${quiet}?no-count=true`);
  await get(`${quiet}.exe`);
  // All are written in the same batch, so once this one is visible the others would be too.
  await get(`${counted}.txt`);
  await expect.poll(async () => (await listed(account, counted))?.hits, written).toBe(1);
  expect(await listed(account, quiet)).toMatchObject({ hits: 0, last_accessed: null });
});

test.concurrent.for(['?no-count=false', '?no-count', '?no-count=1', '?other=true'])(
  'a download with %s is a hit',
  async (query, { expect }) => {
    await using server = await startServer();
    const account = await signUpAndIn(server);
    const name = await uploadFile(server, account);
    await (await fetch(fileUrl(server, name + query))).text();
    await expect.poll(async () => (await listed(account, name))?.hits, written).toBe(1);
  },
);

test.concurrent('only a download from the first byte is a hit', async ({ expect }) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account, 'x'.repeat(1_000));
  const get = async (headers: Record<string, string>) => {
    const answer = await fetch(fileUrl(server, name), { headers });
    await answer.arrayBuffer();
    return answer;
  };
  const etag = (await get({ Range: 'bytes=1-' })).headers.get('ETag') ?? '';
  for (const headers of [
    { Range: 'bytes=500-' },
    { Range: 'bytes=-999' },
    { Range: 'bytes=1-2,4-5' },
    { Range: 'bytes=1000-' },
    { 'If-None-Match': etag },
    { 'If-Match': '"other"' },
  ])
    await get(headers);
  const hits = [{ Range: 'bytes=0-0' }, { Range: 'bytes=-1000' }, { Range: 'bytes=5-6,0-1' }, { Range: 'lines=1' }];
  for (const headers of hits) await get(headers);
  await expect.poll(async () => (await listed(account, name))?.hits, written).toBe(hits.length);
});

test.concurrent('counted hits are written when the server closes', async ({ expect }) => {
  const server = await startServer();
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account);
  let counted = 0;
  const { db } = server.context;
  const real = db.destroy.bind(db);
  db.destroy = async () => {
    counted = (await db.selectFrom('files').select('hits').where('name', '=', name).executeTakeFirstOrThrow()).hits;
    await real();
  };
  await (await fetch(fileUrl(server, name))).text();
  await server[Symbol.asyncDispose]();
  expect(counted).toBe(1);
});

test.concurrent('a download of an empty file is a hit', async ({ expect }) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account, '');
  await (await fetch(fileUrl(server, name))).text();
  await expect.poll(async () => (await listed(account, name))?.hits, written).toBe(1);
});

test.concurrent('a download aborted after its first bytes is a hit', async ({ expect }) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account, new Uint8Array(20_000_000), 'large.zip');
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`GET /file/${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  await expect.poll(async () => (await listed(account, name))?.hits, written).toBe(1);
});

test.concurrent('the list sorts by hits once they are written', async ({ expect }) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const [first, second] = [await uploadFile(server, account), await uploadFile(server, account)];
  await (await fetch(fileUrl(server, first))).text();
  const order = async () =>
    (await account.byKey.getFileList({ query: { column: 'hits' } })).files.map(({ name }) => name);
  await expect.poll(order, written).toEqual([first, second]);
});

test('writing hits does not deadlock with a transaction that locks many files', async ({ expect }) => {
  await using server = await startServer();
  const { db } = server.context;
  const account = await signUpAndIn(server);
  const names = [await uploadFile(server, account), await uploadFile(server, account)];
  const [held, next] = await db.selectFrom('files').select('id').where('name', 'in', names).orderBy('id').execute();
  await using hits = openHitCounter(server.context);
  const flushing = await db.transaction().execute(async (tx) => {
    const favor = (id = '') => tx.updateTable('files').set({ is_favorite: 1 }).where('id', '=', id).execute();
    await favor(held?.id);
    hits.note(next?.id ?? '');
    hits.note(held?.id ?? '');
    const flush = hits.flush();
    // Long enough for it to lock the rows that it can, and to wait for the rest.
    await setTimeout(300);
    await favor(next?.id);
    return { flush };
  });
  await flushing.flush;
  const { files } = await account.byKey.getFileList({ query: {} });
  expect(files.map((file) => [file.hits, file.is_favorite])).toEqual([
    [1, true],
    [1, true],
  ]);
  expect(server.log.join()).not.toContain('hits could not be written');
});
