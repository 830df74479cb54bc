/** What backups and restores do with bytes, folders and earlier backups. Those of each database: `databases/backup`. */
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createClient } from '@holdfast/contract/src/client.ts';
import { expect, test } from 'vitest';
import { checkSecret } from '../../src/accounts/api-key.ts';
import { newBlobId } from '../../src/storage/blobs/blob-id.ts';
import { blobPath } from '../../src/storage/blobs/disk.ts';
import { BlobUnreadable } from '../../src/storage/blobs/blobs.ts';
import { readerOf } from '../../src/lib/byte-reader.ts';
import { days } from '../../src/lib/clock.ts';
import { findBackup, findBackups } from '../../src/operator/backup/manifest.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { backUpInto, blobOf, fetched, restoreFrom, secret } from '../harness/backups.ts';
import { newFolder } from '../harness/new-place.ts';
import { startServer } from '../harness/start-server.ts';
import { flipByte, storedNamed, storedNames } from '../harness/stored-bytes.ts';
import { uploadFile } from '../harness/uploads.ts';

test('a second backup copies only new blobs, and the first can still be restored', async () => {
  await using server = await startServer(secret);
  const ann = await signUpAndIn(server);
  const first = await uploadFile(server, ann, 'first');
  const root = join(await newFolder(), 'b#c?d%e f');
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

test('a backup that was made while the clock was ahead is not the newest for long, and removes few others', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  const root = await newFolder();
  const paths = [];
  for (let night = 0; night < 5; night += 1) paths.push((await backUpInto(root, server)).path);
  server.clock.jump(days(400));
  const ahead = await backUpInto(root, server);
  expect((await findBackup(root)).path).toBe(ahead.path);
  server.clock.jump(-days(400));
  const { path, manifest } = await backUpInto(root, server);
  expect((await findBackup(root)).path).toBe(path);
  expect(manifest.run).toBe(7);
  const left = (await findBackups(root)).map((each) => each.path);
  expect(left).toEqual([...paths.slice(2), ahead.path, path]);
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

test('a restore accepts the secret key of the backup alone, also where another one was noted before', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  await checkSecret(server.context);
  const root = await newFolder();
  await backUpInto(root, server);
  await using second = await startServer({ SECRET_KEY: 'of the new place, which was started once' });
  await checkSecret(second.context);
  await restoreFrom(root, second);
  await expect(checkSecret(second.context)).rejects.toThrow(/^SECRET_KEY cannot be used: .* Put the old one back/);
  await checkSecret({ ...second.context, secret: server.context.secret });
});

test('a changed byte in the folder of the backups is replaced in its turn, or named', async () => {
  await using server = await startServer(secret);
  const id = await blobOf(server, await uploadFile(server, await signUpAndIn(server), 'kept'));
  const root = await newFolder();
  const stored = join(root, 'blobs', blobPath(id));
  const turn = Number.parseInt(id.slice(-8), 16) % 30;
  const damage = async (withBytes: number) => {
    await writeFile(stored, 'KEPT');
    const { path, manifest } = await findBackup(root);
    await writeFile(join(path, 'manifest.json'), JSON.stringify({ ...manifest, with_bytes: withBytes }));
  };
  await backUpInto(root, server);
  await damage(turn + 1);
  expect((await backUpInto(root, server)).blobs).toMatchObject({ copied: 0, kept: 1 });
  await damage(turn);
  // A copy of the database alone has checked nothing.
  await backUpInto(root, server, { withBytes: false });
  expect((await backUpInto(root, server)).blobs).toMatchObject({ copied: 1, kept: 0 });
  expect(await readFile(stored, 'utf8')).toBe('kept');
  await flipByte(await storedNamed(server, id));
  await damage(turn);
  expect((await backUpInto(root, server)).blobs).toMatchObject({ damaged: [id] });
});

test('a folder that had backups and is empty gets none', async () => {
  await using server = await startServer(secret);
  await uploadFile(server, await signUpAndIn(server));
  const root = join(await newFolder(), 'mounted');
  await backUpInto(root, server);
  await rename(root, `${root}.aside`);
  await expect(backUpInto(root, server)).rejects.toThrow(`${root} had backups, and is empty. Is its disk mounted?`);
  await mkdir(join(root, 'blobs'), { recursive: true });
  expect((await backUpInto(root, server)).blobs).toMatchObject({ copied: 1 });
});

test('a folder that is a storage, holds one or lies in one is refused, and nothing is written', async () => {
  const data = await newFolder();
  const storage = join(data, 'blobs');
  await using server = await startServer({ ...secret, BLOBS_URL: `file:${storage}` });
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'kept');
  const id = await blobOf(server, name);
  const links = await newFolder();
  await symlink(data, join(links, 'data'));
  await symlink(join(storage, id.slice(0, 2)), join(links, 'inside'));
  await symlink(storage, join(links, 'blobs'));
  const before = await readdir(data, { recursive: true });
  const inside = [
    storage,
    join(storage, 'new'),
    join(storage, 'tmp'),
    join(links, 'inside'),
    join(links, 'data/blobs/new'),
  ];
  for (const root of [data, join(links, 'data'), links, ...inside])
    await expect(backUpInto(root, server)).rejects.toThrow(`${storage} is the storage of a service`);
  expect(await readdir(data, { recursive: true })).toEqual(before);
  expect((await backUpInto(join(data, 'backups'), server)).blobs).toMatchObject({ copied: 1 });
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
