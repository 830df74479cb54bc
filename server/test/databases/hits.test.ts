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
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const [name, other] = [await uploadFile(server, account), await uploadFile(server, account, '')];
  expect(await listed(server, account, name)).toMatchObject({ hits: 0, last_accessed: null });
  server.clock.advance(5_000);
  await Promise.all(Array.from({ length: 100 }, (_, at) => get(server, at % 4 === 0 ? other : name)));
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
  for (const query of ['?no-count=false', '?no-count', '?no-count=1', '?other=true']) await get(server, name + query);
  for (const range of ['bytes=0-0', 'bytes=-1000', 'bytes=5-6,0-1', 'lines=1'])
    await get(server, name, { headers: { Range: range } });
  expect(await listed(server, account, name)).toMatchObject({ hits: 8 });
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
