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
