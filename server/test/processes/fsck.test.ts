/**
 * Every kind of damage is planted and found. Fsck repairs it where that loses nothing, and reports it where it would.
 */
import { mkdtemp, open, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readerOf } from '../../src/lib/byte-reader.ts';
import type { BlobId, StoredBlob } from '../../src/engines/blobs/blobs.ts';
import { newBlobId } from '../../src/engines/blobs/blob-id.ts';
import { days, hours } from '../../src/lib/clock.ts';
import type { Finding } from '../../src/operator/fsck/inspection.ts';
import { purge } from '../../src/maintenance/jobs/purge.ts';
import { runJob } from '../../src/maintenance/run-job.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { holdfast, holdfastJson } from '../harness/holdfast.ts';
import { runFsck } from '../harness/run-fsck.ts';
import { onPostgres } from '../harness/plan-of.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { sha256, uploadFile } from '../harness/uploads.ts';

const noBlobMemory = { forget() {} };

interface Site {
  readonly server: TestServer;
  readonly ada: SignedIn;
  /** Ada has two files of these bytes, Bob has one. */
  readonly shared: readonly [string, string, string];
  readonly sharedBlob: BlobId;
  readonly other: string;
  readonly otherBlob: BlobId;
}

const blobOf = async ({ context: { db } }: TestServer, name: string): Promise<BlobId> =>
  (await db.selectFrom('files').select('blob_id').where('name', '=', name).executeTakeFirstOrThrow()).blob_id;

const pathOf = (server: TestServer, id: BlobId) => join(server.dataDir, 'blobs', id.slice(0, 2), id.slice(2, 4), id);

async function openSite(server: TestServer): Promise<Site> {
  const [ada, bob] = [await signUpAndIn(server), await signUpAndIn(server)];
  const shared = [
    await uploadFile(server, ada, 'shared bytes', 'a.txt'),
    await uploadFile(server, ada, 'shared bytes', 'b.txt'),
    await uploadFile(server, bob, 'shared bytes', 'c.txt'),
  ] as const;
  const other = await uploadFile(server, bob, 'other bytes', 'd.txt');
  return {
    server,
    ada,
    shared,
    other,
    sharedBlob: await blobOf(server, shared[0]),
    otherBlob: await blobOf(server, other),
  };
}

interface Damage {
  readonly kind: Finding['kind'];
  readonly plant: (site: Site) => Promise<unknown>;
  /** Number of times it is reported. */
  readonly times?: number;
  readonly mended: boolean;
}

const blocked = (site: Site, reason: 'malware' | 'takedown') =>
  site.server.context.db
    .insertInto('blocked_digests')
    .values({ sha256: sha256('shared bytes'), reason, reference: 'X', blocked_at: 1 })
    .execute();

const changeBlob = ({ server, sharedBlob }: Site, to: Readonly<Record<string, unknown>>) =>
  server.context.db.updateTable('blobs').set(to).where('id', '=', sharedBlob).execute();

const damages: Readonly<Record<string, Damage>> = {
  'used space that is too much': {
    kind: 'wrong-usage',
    mended: true,
    plant: ({ server, ada }) =>
      server.context.db.updateTable('accounts').set({ space_used: 99 }).where('email', '=', ada.email).execute(),
  },
  'slots that are too few': {
    kind: 'wrong-usage',
    mended: true,
    plant: ({ server, ada }) =>
      server.context.db.updateTable('accounts').set({ slots_used: 1 }).where('email', '=', ada.email).execute(),
  },
  'a blob that counts too many files': {
    kind: 'wrong-count',
    mended: true,
    plant: (s) => changeBlob(s, { used_by: 4 }),
  },
  'a blob that counts no files': {
    kind: 'wrong-count',
    mended: true,
    plant: (site) => changeBlob(site, { used_by: 0, unused_since: 5 }),
  },
  'a used blob that is said to be unused': {
    kind: 'wrong-unused-since',
    mended: true,
    plant: (site) => changeBlob(site, { unused_since: 5 }),
  },
  'an unused blob that does not know since when': {
    kind: 'wrong-unused-since',
    mended: true,
    async plant({ server, otherBlob, other }) {
      const { db } = server.context;
      await db.updateTable('files').set({ deleted_at: 1 }).where('name', '=', other).execute();
      const bob = db.updateTable('accounts').set({ slots_used: 1, space_used: 12 });
      await bob.where('space_used', '=', 23).execute();
      await db.updateTable('blobs').set({ used_by: 0 }).where('id', '=', otherBlob).execute();
    },
  },
  'a blob that the purge has left': {
    kind: 'not-purged',
    mended: false,
    async plant({ server, ada, shared }) {
      const name = await uploadFile(server, ada, 'to be deleted');
      await ada.browser.client.deleteFiles({ body: { files: [name] } });
      expect(shared).not.toContain(name);
      server.clock.advance(days(3));
    },
  },
  'bytes that are missing': {
    kind: 'bytes-missing',
    mended: false,
    plant: ({ server, sharedBlob }) => server.context.blobs.remove(sharedBlob),
  },
  'held bytes that are missing': {
    kind: 'bytes-missing',
    mended: false,
    async plant({ server, shared, sharedBlob }) {
      await holdfastJson(server, 'file', 'take-down', shared[0], '--case', 'A');
      await server.context.blobs.remove(sharedBlob);
    },
  },
  'bytes that are short': {
    kind: 'bytes-wrong-size',
    mended: false,
    plant: ({ server, sharedBlob }) => truncate(pathOf(server, sharedBlob), 5),
  },
  'bytes without a row': {
    kind: 'stray-bytes',
    mended: true,
    async plant({ server }) {
      await server.context.blobs.write(newBlobId(), one('stray'));
      server.clock.advance(hours(25));
    },
  },
  'what a dead upload left': {
    kind: 'unfinished-write',
    mended: true,
    async plant({ server }) {
      const path = join(server.dataDir, 'blobs', 'tmp', newBlobId());
      await writeFile(path, 'half');
      await utimes(path, 1, 1);
    },
  },
  'a file without a blob': {
    kind: 'blob-missing',
    mended: false,
    async plant({ server, otherBlob }) {
      await server.context.db.deleteFrom('blobs').where('id', '=', otherBlob).execute();
      await server.context.blobs.remove(otherBlob);
    },
  },
  'a file that differs from its blob': {
    kind: 'blob-differs',
    mended: false,
    plant: ({ server, other }) =>
      server.context.db
        .updateTable('files')
        .set({ sha256: sha256('x') })
        .where('name', '=', other)
        .execute(),
  },
  'a live file of a closed account': {
    kind: 'owner-closed',
    times: 2,
    mended: false,
    plant: ({ server, ada }) =>
      server.context.db.updateTable('accounts').set({ closed_at: 1 }).where('email', '=', ada.email).execute(),
  },
  'live files of bytes that are blocked as malware': {
    kind: 'withheld-servable',
    times: 3,
    mended: true,
    plant: (site) => blocked(site, 'malware'),
  },
  'live files of bytes that are blocked for a case': {
    kind: 'withheld-servable',
    times: 3,
    mended: true,
    plant: (site) => blocked(site, 'takedown'),
  },
  'live files of bytes that are held': {
    kind: 'withheld-servable',
    times: 3,
    mended: true,
    plant: (site) => changeBlob(site, { held_for: 'malware', held_at: 1 }),
  },
  'live files of infected bytes': {
    kind: 'withheld-servable',
    times: 3,
    mended: true,
    plant: (site) => changeBlob(site, { scan_state: 'infected' }),
  },
  'live files of an open case': {
    kind: 'withheld-servable',
    times: 3,
    mended: true,
    plant: ({ server }) =>
      server.context.db
        .insertInto('takedown_cases')
        .values({ reference: 'A', sha256: sha256('shared bytes'), opened_at: 1, closed_at: null })
        .execute(),
  },
};

const one = (text: string) => readerOf([Buffer.from(text)]);

test.each(Object.entries(damages))(
  'fsck finds %s, and repairs it where that loses nothing',
  async (_, { kind, plant, times = 1, mended }) => {
    await using server = await startServer();
    const site = await openSite(server);
    expect(await runFsck(server, { scrub: true })).toEqual([]);
    await plant(site);
    const found = await runFsck(server);
    expect(found.map((finding) => finding.kind)).toEqual(Array.from({ length: times }, () => kind));
    expect(await runFsck(server)).toEqual(found);
    const repaired = await runFsck(server, { repair: true });
    expect(repaired[0]).toMatchObject({ kind, repaired: mended });
    const left = await runFsck(server, { scrub: true });
    expect(left.map((finding) => finding.kind)).toEqual(mended ? [] : found.map((finding) => finding.kind));
  },
);

test('a repair keeps every file whose bytes exist', async () => {
  await using server = await startServer();
  const site = await openSite(server);
  await changeBlob(site, { used_by: 0, unused_since: 5 });
  await runFsck(server, { repair: true });
  server.clock.advance(days(2));
  await runJob(server.context, noBlobMemory, purge);
  for (const name of site.shared) expect((await call(server, `/file/${name}`)).text).toBe('shared bytes');
});

test('files that must not be served are withheld by a repair, and can be restored', async () => {
  await using server = await startServer();
  const { shared, other } = await openSite(server).then(async (site) => {
    await blocked(site, 'takedown');
    return site;
  });
  await runFsck(server, { repair: true });
  for (const name of shared) expect((await call(server, `/file/${name}`)).status).toBe(404);
  expect((await call(server, `/file/${other}`)).status).toBe(200);
  expect(await holdfastJson(server, 'file', 'restore', '--case', 'X')).toMatchObject([{ still_held_by: [] }]);
  for (const name of shared) expect((await call(server, `/file/${name}`)).status).toBe(200);
  expect(await runFsck(server)).toEqual([]);
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

test('the command lists each finding, ends with 1 while one is left, and logs its repairs', async () => {
  await using server = await startServer();
  const { ada, otherBlob, other } = await openSite(server);
  const { db, blobs } = server.context;
  await db.updateTable('accounts').set({ space_used: 99 }).where('email', '=', ada.email).execute();
  const dry = await holdfast(server, 'fsck');
  expect(dry).toMatchObject({ code: 1, err: '' });
  expect(dry.out).toContain(
    `wrong-usage: The recorded usage of account ${ada.email} is 2 files with 99 bytes, but the account has 2 files with 24 bytes.\n`,
  );
  expect(dry.out).toContain('Checked 2 blobs, 2 accounts, 2 stored blobs, 4 files: 1 finding.\n');
  expect(await holdfast(server, 'fsck', '--repair')).toMatchObject({ code: 0, err: '' });
  expect(await holdfastJson(server, 'audit')).toMatchObject([
    { action: 'fsck', details: { space_used: 99, slots_used: 2 } },
    { action: 'fsck', subject: 'everything', details: { repair: true } },
  ]);
  expect(await holdfast(server, 'fsck')).toMatchObject({ code: 0, err: '' });
  await blobs.remove(otherBlob);
  const found = await holdfastJson(server, 'fsck', '--repair');
  expect(found).toMatchObject([
    { finding: { kind: 'bytes-missing', subject: otherBlob, repaired: false } },
    { summary: { findings: 1, repaired: 0, kinds: { 'bytes-missing': 1 } } },
  ]);
  expect(JSON.stringify(found)).toContain(`It is used by ${other}.`);
});

test('at most ten unknown blobs are handed to the purge', async () => {
  await using server = await startServer();
  await openSite(server);
  for (let n = 0; n < 15; n += 1) await server.context.blobs.write(newBlobId(), one(`of another database ${n}`));
  server.clock.advance(hours(25));
  const found = await runFsck(server, { repair: true });
  expect(found.map(({ kind, repaired }) => [kind, repaired])).toEqual(
    Array.from({ length: 15 }, (_, n) => ['stray-bytes', n < 10]),
  );
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
  // The purge releases no quota: each deletion does so itself.
  expect(found.filter(({ kind }) => kind !== 'wrong-usage')).toEqual([]);
});

test('bytes that the purge is about to remove are not strays', async () => {
  await using server = await startServer();
  const { other, otherBlob } = await openSite(server);
  const { context } = server;
  await context.db.updateTable('files').set({ deleted_at: 1 }).where('name', '=', other).execute();
  await context.db.deleteFrom('blobs').where('id', '=', otherBlob).execute();
  server.clock.advance(hours(25));
  const { blobs } = context;
  const slowPurge = {
    ...blobs,
    async size(id: BlobId) {
      const found = await blobs.size(id);
      if (id === otherBlob) await blobs.remove(id);
      return found;
    },
  };
  const found = await runFsck(server, { context: { ...context, blobs: slowPurge } });
  expect(found.filter(({ kind }) => kind === 'stray-bytes')).toEqual([]);
});

/** Writes empty leaves over the first pages of indexes, as lost writes leave them, while the file is not open. */
async function loseIndexes(path: string, indexes: readonly string[]): Promise<void> {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const { page_size: pageSize } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  const pages = indexes.map((name) => db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name));
  db.close();
  const emptyLeaf = Buffer.alloc(pageSize);
  emptyLeaf[0] = 0x0a;
  emptyLeaf.writeUInt16BE(pageSize, 5);
  await using file = await open(path, 'r+');
  for (const page of pages) await file.write(emptyLeaf, 0, pageSize, (Number(page?.['rootpage']) - 1) * pageSize);
}

const uniqueNames = (path: string) => {
  const db = new DatabaseSync(path);
  const of = db.prepare(
    "SELECT name FROM pragma_index_list('files') AS list WHERE origin = 'u' AND 'name' IN (SELECT name FROM pragma_index_info(list.name))",
  );
  const name = String(of.get()?.['name']);
  db.close();
  return name;
};

test.skipIf(onPostgres)('fsck checks the indexes of SQLite, with and without --scrub', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-damaged-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const stopped = await (async () => {
    await using server = await startServer({ DATA_DIR: folder });
    await openSite(server);
    expect(await holdfast({ dataDir: folder, context: server.context }, 'fsck', '--scrub')).toMatchObject({ code: 0 });
    return { dataDir: folder, context: { config: server.context.config } };
  })();
  const path = join(folder, 'holdfast.db');
  const names = uniqueNames(path);
  await loseIndexes(path, [names, 'files_by_upload_time']);
  for (const how of [[], ['--scrub']]) {
    const { code, out } = await holdfast(stopped, 'fsck', ...how);
    expect(code).toBe(1);
    expect(out).toContain(`index-damaged: The index ${names} has 0 entries for 4 rows of the table files.\n`);
    expect(out).toContain('index-damaged: The index files_by_upload_time has 0 entries for 4 rows');
    expect(out).toContain('2 findings.\n');
  }
  const db = new DatabaseSync(path);
  const columns = db
    .prepare("SELECT name FROM pragma_table_info('files')")
    .all()
    .map((row) => String(row['name']));
  const copied = columns.map((name) => (name === 'id' ? "'copy'" : name)).join(', ');
  db.exec(`INSERT INTO files (${columns.join(', ')}) SELECT ${copied} FROM files NOT INDEXED LIMIT 1`);
  db.close();
  expect((await holdfast(stopped, 'fsck')).out).toMatch(/^name-twice: 2 files have the name \w+:/m);
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
  const [checked] = await holdfastJson(server, 'fsck', '--scrub');
  expect(checked).toMatchObject({ summary: { findings: 0, unchecked: [] } });
  await keepUp(false);
  const file = await db.selectFrom('files').selectAll().where('name', '=', other).executeTakeFirstOrThrow();
  await db
    .insertInto('files')
    .values({ ...file, id: 'copy' })
    .execute();
  await keepUp(true);
  const { code, out } = await holdfast(server, 'fsck', '--scrub');
  expect(code).toBe(1);
  expect(out).toContain('index-damaged: PostgreSQL says of the index files_name_key of the table files: ');
  expect(out).toContain(`name-twice: 2 files have the name ${other}:`);
});
