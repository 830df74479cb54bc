import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createClient } from '@holdfast/contract/src/client.ts';
import { expect, test } from 'vitest';
import { newBlobId } from '../../src/storage/blobs/blob-id.ts';
import { blobPath } from '../../src/storage/blobs/disk.ts';
import { type BlobId, BlobUnreadable } from '../../src/storage/blobs/blobs.ts';
import { writeFact } from '../../src/storage/db/service-facts.ts';
import { readerOf } from '../../src/lib/byte-reader.ts';
import { days } from '../../src/lib/clock.ts';
import { backUp, type BackUpOptions } from '../../src/operator/backup/back-up.ts';
import { writeDeletions } from '../../src/operator/backup/deletions.ts';
import { findBackup } from '../../src/operator/backup/manifest.ts';
import { restoreBackup } from '../../src/operator/backup/restore.ts';
import { findBytes } from '../../src/moderation/find-file.ts';
import { takeDown } from '../../src/moderation/take-down.ts';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { newFolder } from '../harness/new-place.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { flipByte, storedNamed, storedNames } from '../harness/stored-bytes.ts';
import { uploadFile } from '../harness/uploads.ts';

const secret = { SECRET_KEY: 'the same secret key on both servers' };
const { signal } = new AbortController();
const actor = { operator: 'ada', action: 'restore' };

const ignore = () => {};

async function backUpInto(root: string, { context, clock }: TestServer, options: Partial<BackUpOptions> = {}) {
  clock.advance(1);
  return backUp(context, root, { signal, withBytes: true, keepDays: 30, onRows: ignore, onBlobs: ignore, ...options });
}

const restoreFrom = async (root: string, { context }: TestServer) =>
  restoreBackup(context, await findBackup(root), { actor, signal, onRows: ignore, onBlobs: ignore });

const fetched = async (server: TestServer, name: string) => {
  const { status, text } = await call(server, `/file/${name}?no-count=true`);
  return status === 200 ? text : status;
};

async function blobOf({ context: { db } }: TestServer, name: string): Promise<BlobId> {
  const file = await db.selectFrom('files').select('blob_id').where('name', '=', name).executeTakeFirstOrThrow();
  return file.blob_id;
}

test('a restore is the state of the backup, but closed accounts and blocked files stay so', async () => {
  await using server = await startServer(secret);
  const [ann, bob, leaver] = [await signUpAndIn(server), await signUpAndIn(server), await signUpAndIn(server)];
  const kept = await uploadFile(server, ann, 'kept', 'kept\u2028.txt');
  const deleted = await uploadFile(server, ann, 'deleted', 'deleted.txt');
  const taken = await uploadFile(server, bob, 'taken down', 'taken.txt');
  const leavers = await uploadFile(server, leaver, 'kept', 'leaver.txt');
  const uploading = new AbortController();
  const busy = (async () => {
    for (let n = 0; !uploading.signal.aborted; n += 1) await uploadFile(server, bob, `upload ${n}`);
  })();
  const root = await newFolder();
  await backUpInto(root, server);
  uploading.abort();
  await busy;
  await ann.byKey.deleteFiles({ body: { files: [deleted] } });
  await ann.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 3 } });
  await leaver.browser.client.deleteAccount();
  const { context } = server;
  await takeDown(context, actor, await findBytes(context, taken), 'case 1');
  await writeDeletions(context, root);

  await using second = await startServer(secret);
  const { deletions, blobs } = await restoreFrom(root, second);
  expect({ deletions, blobs }).toMatchObject({ deletions: 2, blobs: { missing: [], damaged: [] } });
  await second.runJob('scan-pending');
  await second.runJob('empty-accounts');
  expect(await Promise.all([kept, deleted, taken, leavers].map((name) => fetched(second, name)))).toEqual([
    'kept',
    'deleted',
    404,
    404,
  ]);
  const client = createClient(fetch, { origin: second.url, apiKey: ann.apiKey });
  expect((await client.getFileList({ query: {} })).pagination.total_files).toBe(2);
  expect(await second.context.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  const browser = openBrowser(second);
  await browser.client.login({ body: { email: ann.email, password: goodPassword } });
  expect((await browser.client.getAccountInfo()).account.info.api_key).toBe(ann.apiKey);
  await expect(
    openBrowser(second).client.login({ body: { email: leaver.email, password: goodPassword } }),
  ).rejects.toThrow();
  const refused = await uploadFile(second, bob, 'taken down').catch((error: unknown) => String(error));
  expect(refused).toContain('refused');
});

test('a second backup copies only new blobs, and the first can still be restored', async () => {
  await using server = await startServer(secret);
  const ann = await signUpAndIn(server);
  const first = await uploadFile(server, ann, 'first');
  const root = await newFolder();
  const { path } = await backUpInto(root, server);
  const second = await uploadFile(server, ann, 'second');
  await ann.byKey.deleteFiles({ body: { files: [first] } });
  server.clock.advance(days(2));
  await server.runJob('purge', { allowed: 10 });
  expect((await backUpInto(root, server)).blobs).toMatchObject({ copied: 1, kept: 0 });
  await using other = await startServer(secret);
  await restoreFrom(path, other);
  expect([await fetched(other, first), await fetched(other, second)]).toEqual(['first', 404]);

  // Once the first one has been removed, nothing needs its bytes.
  server.clock.advance(days(29));
  await backUpInto(root, server);
  expect(await readdir(root)).not.toContain(path.slice(root.length + 1));
  expect(await readdir(join(root, 'blobs'), { recursive: true })).not.toContain(blobPath(await blobOf(other, first)));
});

test('lost, damaged and unreadable bytes are named and passed over, those purged meanwhile are not', async () => {
  await using server = await startServer(secret);
  const ann = await signUpAndIn(server);
  const names: string[] = [];
  for (const text of ['lost', 'damaged', 'purged', 'unreadable', 'whole'])
    names.push(await uploadFile(server, ann, text));
  const [lost, damaged, purged, unreadable] = await Promise.all(names.map((name) => blobOf(server, name)));
  if (!lost || !damaged || !purged || !unreadable) throw new Error('unreachable: all were uploaded');
  await (await storedNamed(server, lost)).remove();
  await flipByte(await storedNamed(server, damaged));
  const { blobs, db } = server.context;
  const open = blobs.open.bind(blobs);
  Object.assign(blobs, {
    async open(...[id, start, end]: Parameters<typeof open>) {
      if (id === unreadable) throw new BlobUnreadable(`The bytes of blob ${id}`, new Error('EIO'));
      if (id === purged) {
        await ann.byKey.deleteFiles({ body: { files: [names[2] ?? ''] } });
        await db.deleteFrom('blobs').where('id', '=', id).execute();
        await blobs.remove(id);
      }
      return open(id, start, end);
    },
  });
  const root = await newFolder();
  const made = await backUpInto(root, server);
  expect(made.blobs).toMatchObject({ copied: 1, missing: [lost] });
  expect(made.blobs?.damaged.toSorted()).toEqual([damaged, unreadable].toSorted());

  // The files stay listed, and a later run of the restore brings what has been found.
  await using second = await startServer(secret);
  expect((await restoreFrom(root, second)).blobs.missing).toHaveLength(4);
  const client = createClient(fetch, { origin: second.url, apiKey: ann.apiKey });
  expect((await client.getFileList({ query: {} })).pagination.total_files).toBe(5);
  const found = join(root, 'blobs', blobPath(lost));
  await mkdir(dirname(found), { recursive: true });
  await writeFile(found, 'lost');
  expect(await restoreFrom(root, second)).toMatchObject({ deletions: null, blobs: { copied: 1, kept: 1 } });
});

test('a blob that the backup disk does not take is named, and the others are copied', async () => {
  await using server = await startServer(secret);
  const ann = await signUpAndIn(server);
  const names = [await uploadFile(server, ann, 'one'), await uploadFile(server, ann, 'two')];
  const [refused, other] = await Promise.all(names.map((name) => blobOf(server, name)));
  if (!refused || !other) throw new Error('unreachable: both were uploaded');
  const root = await newFolder();
  // No file takes the place of a folder.
  await mkdir(join(root, 'blobs', blobPath(refused)), { recursive: true });
  const { blobs } = await backUpInto(root, server);
  expect(blobs).toMatchObject({ copied: 1, problems: [expect.stringContaining(`Not written, ${refused}: EISDIR`)] });
  expect(await readFile(join(root, 'blobs', blobPath(other)), 'utf8')).toBe('two');
});

test('a service restored from an earlier backup by mistake keeps later closings in the list', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  const root = await newFolder();
  const { path } = await backUpInto(root, server);
  const leaver = await signUpAndIn(server);
  const name = await uploadFile(server, leaver, 'gone');
  await backUpInto(root, server);
  await leaver.browser.client.deleteAccount();
  await writeDeletions(server.context, root);

  await using mistaken = await startServer(secret);
  await restoreFrom(path, mistaken);
  await writeDeletions(mistaken.context, root);
  await using second = await startServer(secret);
  expect(await restoreFrom(root, second)).toMatchObject({ deletions: 1 });
  expect(await fetched(second, name)).toBe(404);
});

test('of two lists written at once the older one does not replace the newer, and a killed one leaves nothing', async () => {
  await using server = await startServer(secret);
  const leaver = await signUpAndIn(server);
  const root = await newFolder();
  await backUpInto(root, server);
  const part = join(root, 'deletions.json.part');
  await writeFile(part, 'killed');
  await utimes(part, 1, 1);
  let results = 0;
  const db = server.context.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      // After the service, the accounts and the digests were read.
      if ((results += 1) === 3) {
        await leaver.browser.client.deleteAccount();
        await writeDeletions(server.context, root);
      }
      return result;
    },
  });
  expect(await writeDeletions({ db }, root)).toBe(1);
  expect((await readdir(root)).filter((name) => name.startsWith('deletions'))).toEqual(['deletions.json']);
  expect(await readFile(join(root, 'deletions.json'), 'utf8')).toContain('"closed_accounts":["');
});

test('neither an empty nor another service adds to the backups of a service', async () => {
  await using server = await startServer(secret);
  await uploadFile(server, await signUpAndIn(server));
  const root = await newFolder();
  const { manifest } = await backUpInto(root, server);
  await using other = await startServer(secret);
  await expect(backUpInto(root, other)).rejects.toThrow('backups of another service');
  await expect(writeDeletions(other.context, root)).rejects.toThrow('backups of another service');
  // As if the database of the service were lost, and another one begun for its storage.
  const service = manifest.service ?? '';
  await writeFact(other.context.db, 'id', { value: service, at: 0 });
  await other.context.blobs.markService(service);
  await expect(backUpInto(root, other)).rejects.toThrow('This service has no accounts');
  expect((await findBackup(root)).manifest).toEqual(manifest);
});

test('an interrupted backup leaves the last one as it was, and the next run cleans up', async () => {
  await using server = await startServer(secret);
  const name = await uploadFile(server, await signUpAndIn(server), 'kept');
  const root = await newFolder();
  const { path } = await backUpInto(root, server);
  const onBlobs = () => {
    throw new Error('stopped');
  };
  await uploadFile(server, await signUpAndIn(server), 'more');
  await expect(backUpInto(root, server, { onBlobs })).rejects.toThrow('stopped');
  expect(await readdir(root)).toContain('unfinished');
  expect((await findBackup(root)).path).toBe(path);
  await backUpInto(root, server);
  expect(await readdir(root)).not.toContain('unfinished');
  await using second = await startServer(secret);
  await restoreFrom(path, second);
  expect(await fetched(second, name)).toBe('kept');
});

test('a damaged backup, a database in use and a foreign storage are refused, and nothing is changed', async () => {
  await using server = await startServer(secret);
  await uploadFile(server, await signUpAndIn(server), 'kept');
  const root = await newFolder();
  const { path } = await backUpInto(root, server);
  await using used = await startServer(secret);
  await signUpAndIn(used);
  await expect(restoreFrom(root, used)).rejects.toThrow('The database is not empty: accounts has rows.');
  await using foreign = await startServer(secret);
  await foreign.context.blobs.write(newBlobId(), readerOf([Buffer.from('theirs')]));
  await foreign.context.blobs.markService('another');
  await expect(restoreFrom(root, foreign)).rejects.toThrow('The storage belongs to the service another');
  await using second = await startServer(secret);
  const database = join(path, 'database.db');
  const bytes = await readFile(database);
  await writeFile(database, bytes.fill(1, 5000, 5100));
  await expect(restoreFrom(root, second)).rejects.toThrow('is damaged: its digest differs');
  await writeFile(join(path, 'manifest.json'), '{}');
  await expect(restoreFrom(root, second)).rejects.toThrow('is not a manifest');
  expect(await second.context.db.selectFrom('accounts').selectAll().execute()).toEqual([]);
  expect(await storedNames(second)).toEqual([]);
});
