/** Every kind of damage is planted and found. Fsck repairs it where that loses nothing, and reports it where it would. */
import { mkdtemp, open, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type BlobId, type StoredBlob, BlobUnreadable } from '../../src/storage/blobs/blobs.ts';
import { hours } from '../../src/lib/clock.ts';
import type { Finding } from '../../src/operator/fsck/fsck.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { holdfast, holdfastJson } from '../harness/holdfast.ts';
import { onPostgres } from '../harness/plan-of.ts';
import { runFsck } from '../harness/run-fsck.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

interface Site {
  readonly server: TestServer;
  readonly ada: SignedIn;
  /** Ada has two files of these bytes, Bob has one. */
  readonly shared: string;
  readonly sharedBlob: BlobId;
  readonly other: string;
  readonly otherBlob: BlobId;
}

const blobOf = async ({ context: { db } }: TestServer, name: string): Promise<BlobId> =>
  (await db.selectFrom('files').select('blob_id').where('name', '=', name).executeTakeFirstOrThrow()).blob_id;

async function openSite(server: TestServer): Promise<Site> {
  const [ada, bob] = [await signUpAndIn(server), await signUpAndIn(server)];
  const shared = await uploadFile(server, ada, 'shared bytes', 'a.txt');
  await uploadFile(server, ada, 'shared bytes', 'b.txt');
  await uploadFile(server, bob, 'shared bytes', 'c.txt');
  const other = await uploadFile(server, bob, 'other bytes', 'd.txt');
  const [sharedBlob, otherBlob] = [await blobOf(server, shared), await blobOf(server, other)];
  return { server, ada, shared, other, sharedBlob, otherBlob };
}

const changeAccount = ({ server, ada }: Site, to: Readonly<Record<string, unknown>>) =>
  server.context.db.updateTable('accounts').set(to).where('email', '=', ada.email).execute();
const changeBlob = ({ server, sharedBlob }: Site, to: Readonly<Record<string, unknown>>) =>
  server.context.db.updateTable('blobs').set(to).where('id', '=', sharedBlob).execute();

test.each<[string, Finding['kind'], boolean, (site: Site) => Promise<unknown>]>([
  ['used space that is too much', 'wrong-usage', true, (site) => changeAccount(site, { space_used: 99 })],
  ['slots that are too few', 'wrong-usage', true, (site) => changeAccount(site, { slots_used: 1 })],
  ['a blob that counts too many files', 'wrong-count', true, (site) => changeBlob(site, { used_by: 4 })],
  ['a used blob to be purged', 'wrong-count', true, (site) => changeBlob(site, { used_by: 0, unused_since: 5 })],
  ['a used blob that is said to be unused', 'wrong-count', true, (site) => changeBlob(site, { unused_since: 5 })],
  ['missing bytes', 'bytes-missing', false, ({ server, sharedBlob }) => server.context.blobs.remove(sharedBlob)],
  [
    'missing bytes that are held',
    'bytes-missing',
    false,
    async ({ server, shared, sharedBlob }) => {
      await holdfastJson(server, 'file', 'take-down', shared, '--case', 'A');
      await server.context.blobs.remove(sharedBlob);
    },
  ],
  [
    'bytes that are short',
    'bytes-wrong-size',
    false,
    ({ server, sharedBlob: id }) => truncate(join(server.dataDir, 'blobs', id.slice(0, 2), id.slice(2, 4), id), 5),
  ],
])('fsck finds %s', async (_what, kind, mended, plant) => {
  await using server = await startServer();
  const site = await openSite(server);
  expect(await runFsck(server, { scrub: true })).toEqual([]);
  await plant(site);
  const found = await runFsck(server);
  expect(found).toMatchObject([{ kind, repaired: false }]);
  expect(await runFsck(server)).toEqual(found);
  expect(await runFsck(server, { repair: true })).toMatchObject([{ kind, repaired: mended }]);
  expect(await runFsck(server, { scrub: true })).toHaveLength(mended ? 0 : 1);
});

test('bytes that cannot be read are found, and the others are checked', async () => {
  await using server = await startServer();
  const { sharedBlob, otherBlob } = await openSite(server);
  const { blobs } = server.context;
  const failing: typeof blobs.open = async (id, ...range) => {
    if (id === sharedBlob) throw new BlobUnreadable(`The bytes of blob ${id}`, new Error('i/o error'));
    return blobs.open(id, ...range);
  };
  await blobs.remove(otherBlob);
  const found = await runFsck(server, {
    scrub: true,
    context: { ...server.context, blobs: { ...blobs, open: failing } },
  });
  expect(found.map(({ kind }) => kind).toSorted()).toEqual(['bytes-missing', 'bytes-unreadable']);
});

test('fsck finds nothing during uploads and deletions', async () => {
  await using server = await startServer();
  const { ada } = await openSite(server);
  const evening = new AbortController();
  const work = async (own: string) => {
    for (let n = 0; !evening.signal.aborted; n += 1) {
      const name = await uploadFile(server, ada, n % 2 === 0 ? 'contended' : `${own} ${n}`);
      if (n % 3 !== 0) await ada.browser.client.deleteFiles({ body: { files: [name] } });
    }
  };
  const people = ['one', 'two', 'three'].map(work);
  for (let round = 0; round < 5; round += 1) expect(await runFsck(server, { scrub: true, repair: true })).toEqual([]);
  evening.abort();
  await Promise.all(people);
});

test('bytes uploaded and purged after the storage was listed are not reported', async () => {
  await using server = await startServer();
  const { ada, other, otherBlob } = await openSite(server);
  const { context } = server;
  async function* staleList() {
    const before: StoredBlob[] = [];
    for await (const blob of context.blobs.list()) before.push(blob);
    await uploadFile(server, ada, 'new bytes');
    await context.db.updateTable('files').set({ deleted_at: 1 }).where('name', '=', other).execute();
    await context.db.deleteFrom('blobs').where('id', '=', otherBlob).execute();
    await context.blobs.remove(otherBlob);
    server.clock.advance(hours(25));
    yield* before;
  }
  const found = await runFsck(server, { context: { ...context, blobs: { ...context.blobs, list: staleList } } });
  expect(found).toEqual([]);
});

test('the command lists each finding, ends with 1 while one is left, and logs its repairs', async () => {
  await using server = await startServer();
  const site = await openSite(server);
  await changeAccount(site, { space_used: 99 });
  const dry = await holdfast(server, 'fsck');
  expect(dry).toMatchObject({ code: 1, err: '' });
  expect(dry.out).toContain(
    `wrong-usage: The recorded usage of account ${site.ada.email} is 2 files with 99 bytes, but the account has 2 files with 24 bytes.\n`,
  );
  expect(dry.out).toContain('Checked 2 blobs, 2 accounts: 1 finding.\n');
  expect(await holdfast(server, 'fsck', '--repair')).toMatchObject({ code: 0, err: '' });
  expect(await holdfastJson(server, 'audit')).toMatchObject([
    { action: 'fsck', details: { space_used: 99, slots_used: 2 } },
    { action: 'fsck', subject: 'everything', details: { repair: true } },
  ]);
  expect(await holdfast(server, 'fsck')).toMatchObject({ code: 0, err: '' });
  await server.context.blobs.remove(site.otherBlob);
  const found = await holdfastJson(server, 'fsck', '--repair');
  expect(found).toMatchObject([
    { finding: { kind: 'bytes-missing', subject: site.otherBlob, repaired: false } },
    { summary: { findings: 1, repaired: 0, kinds: { 'bytes-missing': 1 } } },
  ]);
  expect(JSON.stringify(found)).toContain(`It is used by ${site.other}.`);
});

/** Writes an empty leaf over the first page of an index, as lost writes leave it, while the file is not open. */
async function loseIndex(path: string, index: string): Promise<void> {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const { page_size: pageSize } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  const page = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(index);
  db.close();
  const emptyLeaf = Buffer.alloc(pageSize);
  emptyLeaf[0] = 0x0a;
  emptyLeaf.writeUInt16BE(pageSize, 5);
  await using file = await open(path, 'r+');
  await file.write(emptyLeaf, 0, pageSize, (Number(page?.['rootpage']) - 1) * pageSize);
}

test.skipIf(onPostgres)('fsck checks the indexes of SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-damaged-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const stopped = await (async () => {
    await using server = await startServer({ DATA_DIR: folder });
    await openSite(server);
    return { dataDir: folder, context: { config: server.context.config } };
  })();
  await loseIndex(join(folder, 'holdfast.db'), 'files_by_upload_time');
  const { code, out } = await holdfast(stopped, 'fsck');
  expect(code).toBe(1);
  expect(out).toContain('database-damaged: SQLite says: row 1 missing from index files_by_upload_time.\n');
});

// Other tests use the same server, so its files must not be modified. An index that is not maintained for a while is as
// stale as one that lost its writes.
test.runIf(onPostgres)('fsck checks the indexes of PostgreSQL, if amcheck is installed', async () => {
  await using server = await startServer();
  const { other } = await openSite(server);
  const { db } = server.context;
  const keepUp = (kept: boolean) =>
    sql`UPDATE pg_index SET indisready = ${kept} WHERE indexrelid = 'files_name_key'::regclass`.execute(db);
  await sql`DROP EXTENSION IF EXISTS amcheck`.execute(db);
  const [unchecked] = await holdfastJson(server, 'fsck');
  expect(unchecked).toMatchObject({ summary: { findings: 0, unchecked: [expect.stringContaining('amcheck')] } });
  await sql`CREATE EXTENSION amcheck SCHEMA public`.execute(db);
  const [checked] = await holdfastJson(server, 'fsck');
  expect(checked).toMatchObject({ summary: { findings: 0, unchecked: [] } });
  await keepUp(false);
  const file = await db.selectFrom('files').selectAll().where('name', '=', other).executeTakeFirstOrThrow();
  await db
    .insertInto('files')
    .values({ ...file, id: 'copy' })
    .execute();
  await keepUp(true);
  const { code, out } = await holdfast(server, 'fsck');
  expect(code).toBe(1);
  expect(out).toContain('database-damaged: PostgreSQL says of the index files_name_key: ');
});
