import { createHash } from 'node:crypto';
import { appendFile, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@holdfast/contract/src/client.ts';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { type Context, openContext } from '../../src/context.ts';
import { openDiskBlobs } from '../../src/engines/blobs/disk.ts';
import { days, hours, minutes } from '../../src/lib/clock.ts';
import { holdBytes } from '../../src/maintenance/backup-holds.ts';
import { quarantine } from '../../src/moderation/quarantine.ts';
import { discard } from '../../src/operator/discard.ts';
import { findBytes } from '../../src/operator/find-bytes.ts';
import { purgeNow } from '../../src/operator/purge-now.ts';
import { copyBlobs } from '../../src/operator/backup/copy-blobs.ts';
import { writeDeletions } from '../../src/operator/backup/deletions.ts';
import { dropMissing } from '../../src/operator/backup/drop-missing.ts';
import { readLines } from '../../src/operator/backup/lines-file.ts';
import { listedBlobs } from '../../src/operator/backup/listed-blobs.ts';
import { makeBackup } from '../../src/operator/backup/make-backup.ts';
import { neededBlobs } from '../../src/operator/backup/needed-blobs.ts';
import { restoreBackup } from '../../src/operator/backup/restore-backup.ts';
import { goodPassword, type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { newFolder } from '../harness/new-place.ts';
import { openSecond } from '../harness/second-process.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { formWith, sendForm, storedNameOf, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { bytesAreOnS3 } from '../harness/test-blobs.ts';

const secret = { SECRET_KEY: 'the same secret key on both servers' };
const { signal } = new AbortController();
const actor = { operator: 'ada', action: 'restore' };

/** Another process's view of the same database and storage, as the command has it. */
async function openBeside({ context }: TestServer): Promise<Context> {
  const beside = await openContext(context.config, pino({ level: 'silent' }), { clock: context.clock });
  onTestFinished(() => beside[Symbol.asyncDispose]());
  return beside;
}

async function takeBackup(server: TestServer) {
  const folder = await newFolder();
  const beside = await openBeside(server);
  const backup = join(folder, 'monday');
  await using pool = await openDiskBlobs(join(folder, 'pool'));
  const manifest = await makeBackup(beside, backup, { signal });
  return {
    backup,
    manifest,
    beside,
    poolFolder: join(folder, 'pool'),
    copy: () => copyBlobs(listedBlobs(backup), beside.blobs, pool, { signal }),
  };
}

async function restoreInto(server: TestServer, backup: string, poolFolder: string) {
  const restored = await restoreBackup(server.context, backup, { actor, signal });
  await using pool = await openDiskBlobs(poolFolder);
  return {
    ...restored,
    blobs: await copyBlobs(neededBlobs(server.context.db), pool, server.context.blobs, { signal }),
  };
}

const fetched = async (server: TestServer, name: string) => {
  const { status, text } = await call(server, `/file/${name}?no-count=true`);
  return status === 200 ? text : status;
};

const names = async (person: SignedIn, server: TestServer) => {
  const client = createClient(fetch, { origin: server.url, apiKey: person.apiKey });
  const { files } = await client.getFileList({ query: {} });
  return new Set(files.map((file) => file.name));
};

test('a backup taken during uploads and deletions restores the service without deleted files', async () => {
  await using server = await startServer(secret);
  const ann = await signUpAndIn(server);
  const bob = await signUpAndIn(server);
  const leaver = await signUpAndIn(server);
  const kept = await uploadFile(server, ann, 'stays', 'stays.txt');
  const shared = await uploadFile(server, bob, 'stays', 'the same bytes.txt');
  const before = await uploadFile(server, ann, 'deleted before', 'before.txt');
  const after = await uploadFile(server, ann, 'deleted after', 'after.txt');
  const leavers = await uploadFile(server, leaver, 'leaves', 'leaves.txt');
  await ann.byKey.toggleFavorite({ body: { file: kept } });
  await ann.byKey.deleteFiles({ body: { files: [before] } });

  const uploading = new AbortController();
  const uploads: string[] = [];
  const busy = (async () => {
    while (!uploading.signal.aborted)
      uploads.push(await uploadFile(server, bob, `upload ${uploads.length}`, 'busy.txt'));
  })();
  const { backup, manifest, beside, poolFolder, copy } = await takeBackup(server);
  uploading.abort();
  await busy;
  await ann.byKey.deleteFiles({ body: { files: [after] } });
  await leaver.browser.client.deleteAccount();
  await server.context.db
    .insertInto('blocked_digests')
    .values({ sha256: 'a'.repeat(64), reason: 'takedown', reference: 'case 1', blocked_at: server.clock.now() })
    .execute();
  await writeDeletions(beside, backup);
  await copy();
  // A second run some time later: the newer list replaces the older one.
  expect(await writeDeletions(beside, backup)).toBeGreaterThanOrEqual(4);

  await using second = await startServer(secret);
  const { deletions, blobs } = await restoreInto(second, backup, poolFolder);
  expect(deletions).toBe(3);
  expect(blobs.missing).toEqual([]);
  expect(await names(ann, second)).toEqual(new Set([kept]));
  expect(await fetched(second, kept)).toBe('stays');
  expect(await fetched(second, shared)).toBe('stays');
  for (const gone of [before, after, leavers]) expect(await fetched(second, gone)).toBe(404);
  const bobs = await names(bob, second);
  // The backup is a snapshot: it contains the uploads completed by then, and none after the first that is missing.
  const inIt = uploads.filter((name) => bobs.has(name));
  expect(bobs).toEqual(new Set([shared, ...uploads.slice(0, inIt.length)]));
  expect(manifest.tables['files']?.rows).toBe(5 + inIt.length);
  for (const [index, name] of inIt.entries()) expect(await fetched(second, name)).toBe(`upload ${index}`);
  await expectSoundSums(second);

  const browser = openBrowser(second);
  expect(
    (await call(second, '/api/v3/rest/get-account-info', { headers: { 'X-API-Key': leaver.apiKey } })).status,
  ).toBe(401);
  await browser.client.login({ body: { email: ann.email, password: goodPassword } });
  expect((await browser.client.getAccountInfo()).account.info.api_key).toBe(ann.apiKey);
  const { db } = second.context;
  expect(await db.selectFrom('blocked_digests').select('reference').execute()).toEqual([{ reference: 'case 1' }]);
  // A used name is never assigned again, and a cookie from before the restore is invalid.
  expect(await db.selectFrom('files').select('deleted_at').where('name', '=', before).executeTakeFirst()).toBeDefined();
  expect((await db.selectFrom('sessions').select('id').execute()).length).toBe(1);
});

test('an upload that is retried after the restore gets the link of the restored file', async () => {
  await using server = await startServer(secret);
  const ann = await signUpAndIn(server);
  const send = (at: TestServer, text: string) => sendForm(at, ann, formWith(text), { key: `try of ${text}` });
  const first = storedNameOf((await send(server, 'kept')).url);
  const gone = storedNameOf((await send(server, 'deleted')).url);
  const { backup, beside, poolFolder, copy } = await takeBackup(server);
  await ann.byKey.deleteFiles({ body: { files: [gone] } });
  await writeDeletions(beside, backup);
  await copy();

  await using second = await startServer(secret);
  await restoreInto(second, backup, poolFolder);
  expect(storedNameOf((await send(second, 'kept')).url)).toBe(first);
  expect(await send(second, 'deleted')).toMatchObject({ status: 410 });
  expect(await names(ann, second)).toEqual(new Set([first]));
});

async function expectSoundSums({ context: { db } }: TestServer) {
  const accounts = await db.selectFrom('accounts').select(['id', 'space_used', 'slots_used']).execute();
  const files = await db
    .selectFrom('files')
    .select(['account_id', 'size', 'blob_id'])
    .where('deleted_at', 'is', null)
    .execute();
  for (const { id, space_used: space, slots_used: slots } of accounts) {
    const own = files.filter((file) => file.account_id === id);
    expect([space, slots]).toEqual([own.reduce((sum, file) => sum + file.size, 0), own.length]);
  }
  for (const { id, used_by: uses } of await db.selectFrom('blobs').selectAll().execute())
    expect(uses).toBe(files.filter((file) => file.blob_id === id).length);
}

test('a file whose bytes were purged before the copy is dropped on request of the operator', async () => {
  await using server = await startServer(secret);
  const ann = await signUpAndIn(server);
  const kept = await uploadFile(server, ann, 'kept', 'kept.txt');
  const purged = await uploadFile(server, ann, 'purged', 'purged.txt');
  const { backup, poolFolder, copy } = await takeBackup(server);
  await ann.byKey.deleteFiles({ body: { files: [purged] } });
  server.clock.advance(hours(24));
  await server.runJob('purge');
  expect(await copy()).toMatchObject({ copied: 1, missing: [expect.any(String)] });

  await using second = await startServer(secret);
  const { deletions, blobs } = await restoreInto(second, backup, poolFolder);
  expect(deletions).toBeNull();
  expect(blobs.missing).toHaveLength(1);
  expect(await names(ann, second)).toEqual(new Set([kept, purged]));
  expect(await dropMissing(second.context, blobs.missing)).toBe(1);
  expect(await names(ann, second)).toEqual(new Set([kept]));
  await expectSoundSums(second);
});

test('a backup copies the bytes in its own list, also of files deleted since', async () => {
  await using server = await startServer(secret);
  const ann = await signUpAndIn(server);
  const files = [await uploadFile(server, ann, 'kept', 'kept.txt'), await uploadFile(server, ann, 'deleted', 'b.txt')];
  const { backup, poolFolder, copy } = await takeBackup(server);
  await ann.byKey.deleteFiles({ body: { files } });
  await uploadFile(server, ann, 'uploaded later', 'c.txt');
  expect(await copy()).toEqual({ copied: 2, kept: 0, missing: [], damaged: [] });

  await using second = await startServer(secret);
  expect((await restoreInto(second, backup, poolFolder)).blobs).toMatchObject({ copied: 2, missing: [] });
  expect(await names(ann, second)).toEqual(new Set(files));
  expect(await Promise.all(files.map((name) => fetched(second, name)))).toEqual(['kept', 'deleted']);
});

/** A deleted file, a day later. */
async function deletedYesterday(server: TestServer): Promise<void> {
  const ann = await signUpAndIn(server);
  await ann.byKey.deleteFiles({ body: { files: [await uploadFile(server, ann, 'one')] } });
  server.clock.advance(hours(24));
}

test('while a backup copies bytes, no process purges any, and the next run does', async () => {
  await using server = await startServer();
  await deletedYesterday(server);
  await using second = await openSecond(server);
  const hold = await holdBytes(second);
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0, names: 1 });
  await expect(purgeNow(server.context, actor, {}, signal)).rejects.toThrow(/^A backup is copying/);
  await hold[Symbol.asyncDispose]();
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1 });
  expect(await storedNames(server)).toEqual([]);
});

test.each([
  ['a killed backup stops holding bytes after two hours', 0, hours(2)],
  ['a backup that began when the clock was a year ahead holds nothing', days(366), -days(366)],
])('%s', async (_, ahead, later) => {
  await using server = await startServer();
  await deletedYesterday(server);
  server.clock.advance(ahead);
  // Disposed only at the end: its timer renews the hold by the clock of the machine, a minute from now.
  await using _killed = await holdBytes(server.context);
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0 });
  server.clock.advance(later);
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1 });
});

test.each([
  ['ahead', hours(1)],
  ['back', -hours(1)],
])('a step of the clock by an hour %s during a backup lets no process purge', async (_, step) => {
  await using server = await startServer();
  await deletedYesterday(server);
  server.clock.advance(hours(2));
  await using _backup = await holdBytes(server.context);
  server.clock.jump(step);
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0 });
  // The other machine's clock may differ by ten minutes.
  server.clock.jump(Math.sign(step) * minutes(10));
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0 });
  expect(await storedNames(server)).toHaveLength(1);
});

test('withheld bytes are not discarded while a backup copies bytes', async () => {
  await using server = await startServer();
  const name = await uploadFile(server, await signUpAndIn(server), 'evidence');
  const { context, memory } = server;
  await quarantine(context, memory, await findBytes(context, name), 'Bad.Thing');
  const held = await findBytes(context, name);
  {
    await using _ = await holdBytes(context);
    await expect(discard(context, actor, held)).rejects.toThrow(/^A backup is copying/);
    expect(await storedNames(server)).toHaveLength(1);
  }
  expect(await discard(context, actor, held)).toEqual({ size: 8 });
});

test('blobs already copied are kept, and a broken copy is replaced', async () => {
  await using server = await startServer(secret);
  const ann = await signUpAndIn(server);
  await uploadFile(server, ann, 'one', 'one.txt');
  const { copy, poolFolder } = await takeBackup(server);
  expect(await copy()).toEqual({ copied: 1, kept: 0, missing: [], damaged: [] });
  expect(await copy()).toEqual({ copied: 0, kept: 1, missing: [], damaged: [] });
  const path = (await readdir(poolFolder, { recursive: true })).find((name) => /[0-9a-f]{32}$/.test(name)) ?? '';
  await appendFile(join(poolFolder, path), 'more');
  expect(await copy()).toEqual({ copied: 1, kept: 0, missing: [], damaged: [] });
  expect(await readFile(join(poolFolder, path), 'utf8')).toBe('one');
});

test('the list of blobs names the paths to copy, below the storage folder', async ({ skip }) => {
  skip(bytesAreOnS3, 'They are keys of the bucket, which the tests of that engine read.');
  await using server = await startServer(secret);
  const ann = await signUpAndIn(server);
  await uploadFile(server, ann, 'one', 'one.txt');
  await uploadFile(server, ann, 'one', 'same bytes.txt');
  await uploadFile(server, ann, 'two', 'two.txt');
  const { backup, manifest } = await takeBackup(server);
  const paths = (await readFile(join(backup, 'blobs.txt'), 'utf8')).trim().split('\n');
  expect(paths).toHaveLength(2);
  expect(manifest.blobs).toEqual({ count: 2, bytes: 6 });
  for (const path of paths) expect((await stat(join(server.dataDir, 'blobs', path))).size).toBe(3);
});

test('a damaged backup changes nothing', async () => {
  await using server = await startServer(secret);
  await uploadFile(server, await signUpAndIn(server), 'one', 'one.txt');
  const { backup, poolFolder } = await takeBackup(server);
  await appendFile(join(backup, 'files.jsonl.gz'), 'x');
  await using second = await startServer(secret);
  await expect(restoreInto(second, backup, poolFolder)).rejects.toThrow(/files\.jsonl\.gz is damaged/);
  await rm(join(backup, 'manifest.json'));
  await expect(restoreInto(second, backup, poolFolder)).rejects.toThrow(/manifest\.json is not a backup manifest/);
  expect(await second.context.db.selectFrom('accounts').select('id').execute()).toEqual([]);
});

test('a restore into a database with rows is refused and changes nothing', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  const { backup, poolFolder } = await takeBackup(server);
  await expect(restoreInto(server, backup, poolFolder)).rejects.toThrow(/The database is not empty: accounts has rows/);
  expect(await server.context.db.selectFrom('accounts').select('id').execute()).toHaveLength(1);
});

test('a restore that is stopped leaves the database empty', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  const { backup } = await takeBackup(server);
  await using second = await startServer(secret);
  const stopping = new AbortController();
  const options = { actor, signal: stopping.signal, onProgress: () => stopping.abort() };
  await expect(restoreBackup(second.context, backup, options)).rejects.toThrow(/aborted/);
  expect(await second.context.db.selectFrom('accounts').select('id').execute()).toEqual([]);
});

test('a stopped backup leaves no folder, and an existing backup is not overwritten', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  const { backup, beside } = await takeBackup(server);
  const digest = createHash('sha256')
    .update(await readFile(join(backup, 'manifest.json')))
    .digest('hex');
  await expect(makeBackup(beside, backup, { signal })).rejects.toThrow(/already exists/);
  expect(
    createHash('sha256')
      .update(await readFile(join(backup, 'manifest.json')))
      .digest('hex'),
  ).toBe(digest);
  const stopped = AbortSignal.abort();
  await expect(makeBackup(beside, `${backup}-2`, { signal: stopped })).rejects.toThrow(/aborted/);
  expect(await readdir(join(backup, '..'))).not.toContain('monday-2');
});

test('of concurrent backups into one folder one is made, and concurrent deletion lists are whole', async () => {
  await using server = await startServer(secret);
  const name = await uploadFile(server, await signUpAndIn(server), 'one');
  const beside = await openBeside(server);
  const backup = join(await newFolder(), 'monday');
  const made = await Promise.allSettled([1, 2, 3].map(() => makeBackup(beside, backup, { signal })));
  expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  await server.context.db
    .updateTable('files')
    .set({ deleted_at: server.clock.now() })
    .where('name', '=', name)
    .execute();
  const lists = await Promise.all([1, 2, 3, 4].map(() => writeDeletions(beside, backup)));
  // The other two lines are the verification of the account and the statement that no other digest is blocked.
  expect(lists).toEqual([3, 3, 3, 3]);
  expect((await readdir(backup)).filter((file) => file.includes('.part'))).toEqual([]);
  const restored: unknown[] = [];
  for await (const page of readLines(join(backup, 'deletions.jsonl.gz'))) restored.push(...page);
  expect(restored).toMatchObject([{ kind: 'account changed' }, { kind: 'file', name }, { kind: 'no other digest' }]);
});
