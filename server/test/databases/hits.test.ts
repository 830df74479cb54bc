import { expect, test } from 'vitest';
import { openHitCounter } from '../../src/delivery/hits.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { onPostgres } from '../harness/plan-of.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { watchStatements } from '../harness/watched-statements.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';

async function listed({ hits }: TestServer, account: SignedIn, name: string) {
  await hits.flush();
  const { files } = await account.byKey.getFileList({ query: {} });
  return files.find((file) => file.name === name);
}

async function get(server: TestServer, rest: string, options: RequestInit = {}) {
  const answer = await fetch(fileUrl(server, rest), options);
  await answer.arrayBuffer();
  return answer;
}

test('a download is a hit, and the list shows it with its time a second later', async () => {
  await using server = await startServer({ TRUST_PROXY: '127.0.0.1' });
  const account = await signUpAndIn(server);
  const [name, other] = [await uploadFile(server, account), await uploadFile(server, account, '')];
  expect(await listed(server, account, name)).toMatchObject({ hits: 0, last_accessed: null });
  server.clock.advance(5_000);
  const from = (at: number) => ({ headers: { 'X-Forwarded-For': `192.0.2.${at}` } });
  await Promise.all(Array.from({ length: 100 }, (_, at) => get(server, at % 4 === 0 ? other : name, from(at))));
  const last_accessed = new Date(server.clock.now()).toISOString();
  expect(await listed(server, account, name)).toMatchObject({ hits: 75, last_accessed });
  expect(await listed(server, account, other)).toMatchObject({ hits: 25, last_accessed });
  const { files } = await account.byKey.getFileList({ query: { column: 'hits' } });
  expect(files.map((file) => file.name)).toEqual([name, other]);
});

test('only a GET from the first byte is a hit, and only with another GET of the file it is in use', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account, 'x'.repeat(1_000));
  const etag = (await get(server, name, { method: 'HEAD' })).headers.get('ETag') ?? '';
  for (const rest of [`${name}.sha256`, `${name}.txt.sha256`, `${name}?no-count=true`, `${name}.exe`])
    await get(server, rest);
  for (const headers of [{ Range: 'bytes=1000-' }, { 'If-Match': '"other"' }]) await get(server, name, { headers });
  expect(await listed(server, account, name)).toMatchObject({ hits: 0, last_accessed: null });
  const accesses = [
    { Range: 'bytes=500-' },
    { Range: 'bytes=-999' },
    { Range: 'bytes=1-2,4-5' },
    { 'If-None-Match': etag },
  ];
  for (const headers of accesses) await get(server, name, { headers: headers as Record<string, string> });
  expect(await listed(server, account, name)).toMatchObject({ hits: 0, last_accessed: expect.any(String) as string });
  const again = (query: string, headers = {}) => {
    server.clock.advance(30_000);
    return get(server, name + query, { headers });
  };
  for (const query of ['?no-count=false', '?no-count', '?no-count=1', '?other=true']) await again(query);
  for (const Range of ['bytes=0-0', 'bytes=-1000', 'bytes=5-6,0-1', 'lines=1']) await again('', { Range });
  expect(await listed(server, account, name)).toMatchObject({ hits: 8 });
});

test('what one address requests of a file within 30 seconds is one view', async () => {
  await using server = await startServer({ TRUST_PROXY: '127.0.0.1' });
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account, 'x'.repeat(1_000), 'song.mp3');
  const other = await uploadFile(server, account, 'y', 'other.mp3');
  const from = (address: string, rest = name, range?: string) =>
    get(server, rest, { headers: { 'X-Forwarded-For': address, ...(range !== undefined && { Range: range }) } });
  // A tab and its player, then the probe and the rest that another player requests.
  await from('192.0.2.1');
  for (const range of ['bytes=0-', 'bytes=0-1', 'bytes=0-999']) await from('192.0.2.1', `${name}.mp3`, range);
  expect(await listed(server, account, name)).toMatchObject({ hits: 1 });
  // All addresses of one home network.
  for (const last of ['1', '2']) await from(`2001:db8:1:2::${last}`);
  await from('192.0.2.1', other);
  expect(await listed(server, account, name)).toMatchObject({ hits: 2 });
  expect(await listed(server, account, other)).toMatchObject({ hits: 1 });
  server.clock.advance(29_999);
  await from('192.0.2.1');
  const last_accessed = new Date(server.clock.now()).toISOString();
  expect(await listed(server, account, name)).toMatchObject({ hits: 2, last_accessed });
  server.clock.advance(1);
  await from('192.0.2.1');
  expect(await listed(server, account, name)).toMatchObject({ hits: 3 });
});

test('counted hits are written when the server closes', async () => {
  const server = await startServer();
  const name = await uploadFile(server, await signUpAndIn(server));
  let counted = 0;
  const { db } = server.context;
  const real = db.destroy.bind(db);
  db.destroy = async () => {
    counted = (await db.selectFrom('files').select('hits').where('name', '=', name).executeTakeFirstOrThrow()).hits;
    await real();
  };
  await get(server, name);
  await server[Symbol.asyncDispose]();
  expect(counted).toBe(1);
});

test('writing hits does not deadlock with a transaction that locks many files', async () => {
  await using server = await startServer();
  const { db } = server.context;
  const account = await signUpAndIn(server);
  const names = [await uploadFile(server, account), await uploadFile(server, account)];
  const [held, next] = await db.selectFrom('files').select('id').where('name', 'in', names).orderBy('id').execute();
  const wroteFree = Promise.withResolvers<void>();
  // SQLite has one writer: there the flush waits for the whole transaction.
  if (!onPostgres) wroteFree.resolve();
  const watched = watchStatements(db, { after: () => wroteFree.resolve() });
  await using hits = openHitCounter({ ...server.context, db: watched });
  const { flush } = await db.transaction().execute(async (tx) => {
    const favor = (id = '') => tx.updateTable('files').set({ is_favorite: 1 }).where('id', '=', id).execute();
    await favor(held?.id);
    hits.note(next?.id ?? '', 'hit');
    hits.note(held?.id ?? '', 'hit');
    const flushing = hits.flush();
    await wroteFree.promise;
    await favor(next?.id);
    return { flush: flushing };
  });
  await flush;
  const { files } = await account.byKey.getFileList({ query: {} });
  expect(files.map((file) => [file.hits, file.is_favorite])).toEqual([
    [1, true],
    [1, true],
  ]);
  expect(server.log.join()).not.toContain('hits could not be written');
});
