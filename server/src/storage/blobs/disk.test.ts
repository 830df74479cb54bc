import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { expect, test } from 'vitest';
import { readerOf } from '../../lib/byte-reader.ts';
import { hours } from '../../lib/clock.ts';
import { newBlobId } from './blob-id.ts';
import { type BlobId, BlobsUnavailable } from './blobs.ts';
import { blobConformance, readAll } from './conformance.ts';
import { blobPath, openDiskBlobs } from './disk.ts';
import { type SharedEngine, unfinishedConformance } from './unfinished-conformance.ts';
import { openFileWriter } from './write-file.ts';

const pathOf = (folder: string, id: BlobId) => join(folder, blobPath(id));

async function openEngine(): Promise<SharedEngine & { readonly folder: string }> {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-blobs-'));
  const blobs = await openDiskBlobs(folder);
  return {
    folder,
    blobs,
    async stored() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    },
    shorten: (id, size) => truncate(pathOf(folder, id), size),
    openAgain: () => openDiskBlobs(folder),
    async [Symbol.asyncDispose]() {
      await blobs[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

blobConformance(openEngine);
unfinishedConformance(openEngine);

const one = (text: string) => readerOf([Buffer.from(text)]);

test('a blob is stored two folders deep, for its owner only, and read again after the storage is reopened', async () => {
  await using engine = await openEngine();
  const id = newBlobId();
  expect(blobPath(id)).toMatch(/^([0-9a-f]{2})\/00\/\1[0-9a-f]{30}$/);
  await engine.blobs.write(id, one('hello'));
  await engine.blobs.markService('a service');
  const reopened = await openDiskBlobs(engine.folder);
  expect((await readAll(reopened, id, 0, 4)).toString()).toBe('hello');
  expect(await reopened.serviceId()).toBe('a service');
  for (const path of [pathOf(engine.folder, id), join(engine.folder, 'service-id')])
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(engine.folder, 'tmp'))).toEqual([]);
});

test('new blobs in a row have few folders to sync', () => {
  const folders = Array.from({ length: 200 }, () => dirname(blobPath(newBlobId())));
  expect(new Set(folders).size).toBeLessThan(3);
});

test('a blob appears at its path only after all of it is written', async () => {
  await using engine = await openEngine();
  const id = newBlobId();
  const seen: boolean[] = [];
  async function* source() {
    yield Buffer.alloc(5_000_000);
    seen.push(existsSync(pathOf(engine.folder, id)));
    yield Buffer.from('second half');
  }
  await engine.blobs.write(id, readerOf(source()));
  expect([...seen, existsSync(pathOf(engine.folder, id))]).toEqual([false, true]);
});

test('a sweep removes temp files that have not changed for a while', async () => {
  await using engine = await openEngine();
  const now = Date.now();
  for (const age of [23, 25]) {
    const path = join(engine.folder, 'tmp', `${age} hours`);
    await writeFile(path, 'half');
    await utimes(path, new Date(now - hours(age)), new Date(now - hours(age)));
  }
  expect(await engine.blobs.sweepUnfinished(now - hours(24))).toBe(1);
  expect(await readdir(join(engine.folder, 'tmp'))).toEqual(['23 hours']);
});

test('a symlink in the place of a blob is not followed', async () => {
  await using engine = await openEngine();
  const [id, neighbor] = [newBlobId(), join(engine.folder, 'neighbor')];
  await engine.blobs.write(id, one('hello'));
  await engine.blobs.remove(id);
  await writeFile(neighbor, 'private');
  await symlink(neighbor, pathOf(engine.folder, id));
  const unreadable = { name: 'BlobUnreadable', message: expect.stringMatching(/ELOOP/) as string };
  await expect(engine.blobs.open(id, 0, 6)).rejects.toMatchObject(unreadable);
});

test('while the folder of the storage cannot be read, no bytes count as lost', async () => {
  await using engine = await openEngine();
  const id = newBlobId();
  await engine.blobs.write(id, one('hello'));
  await engine.blobs.markService('own');
  await rm(engine.folder, { recursive: true });
  await writeFile(engine.folder, 'no folder');
  const away = { name: 'BlobsUnavailable', message: expect.stringMatching(/ENOTDIR/) as string };
  await expect(engine.blobs.open(id, 0, 4)).rejects.toMatchObject(away);
  await expect(engine.blobs.size(id)).rejects.toMatchObject(away);
  await expect(engine.blobs.serviceId()).rejects.toMatchObject(away);
});

test('a temp folder that is a link is refused, and nothing behind it is deleted', async () => {
  await using engine = await openEngine();
  const [temp, elsewhere] = [join(engine.folder, 'tmp'), join(engine.folder, 'elsewhere')];
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'kept'), 'kept');
  await rm(temp, { recursive: true });
  await symlink(elsewhere, temp);
  const refusal = `${temp} is a symbolic link, and must be a folder`;
  await expect(openDiskBlobs(engine.folder)).rejects.toThrow(refusal);
  await expect(engine.blobs.sweepUnfinished(Infinity)).rejects.toThrow(refusal);
  expect(await readdir(elsewhere)).toEqual(['kept']);
});

test.each(['folder of its first digits', 'folder of its digits', 'blob'])(
  'another thing in the place of the %s is put aside by the bytes that take it',
  async (what) => {
    await using engine = await openEngine();
    const [id, other] = ['1'.repeat(32), '2'.repeat(32)] as [BlobId, BlobId];
    await engine.blobs.write(id, one('hello'));
    await engine.blobs.write(other, one('hello'));
    const path = pathOf(engine.folder, id);
    const place = { blob: path, 'folder of its digits': dirname(path) }[what] ?? dirname(dirname(path));
    await rm(place, { recursive: true });
    if (what === 'blob') await mkdir(place);
    else await writeFile(place, 'a file');
    await expect(engine.blobs.size(id)).rejects.toMatchObject({ name: 'BlobUnreadable' });
    await engine.blobs.replace(other, id);
    expect((await readAll(engine.blobs, id, 0, 4)).toString()).toBe('hello');
    expect(await readdir(join(engine.folder, 'damaged'))).toHaveLength(1);
  },
);

test('a folder that is a file now refuses one upload, and the next one mends it', async () => {
  await using engine = await openEngine();
  const id = newBlobId();
  await engine.blobs.write(id, one('hello'));
  await rm(dirname(pathOf(engine.folder, id)), { recursive: true });
  await writeFile(dirname(pathOf(engine.folder, id)), 'a file');
  await expect(engine.blobs.write(id, one('hello'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await engine.blobs.write(id, one('hello'));
  expect(await engine.blobs.size(id)).toBe(5);
});

test('a folder of the storage that is gone makes it unavailable', async () => {
  await using engine = await openEngine();
  await rm(engine.folder, { recursive: true });
  await expect(engine.blobs.space()).rejects.toBeInstanceOf(BlobsUnavailable);
  await expect(engine.blobs.write(newBlobId(), one('hello'))).rejects.toBeInstanceOf(BlobsUnavailable);
});

test('an empty mark is none, and a claim takes its place', async () => {
  await using engine = await openEngine();
  await writeFile(join(engine.folder, 'service-id'), '');
  expect(await engine.blobs.serviceId()).toBe(null);
  expect(await engine.blobs.claimFor('own')).toBe('own');
  expect(await engine.blobs.serviceId()).toBe('own');
});

test('what cannot be removed is named, and all else is gone', async () => {
  await using engine = await openEngine();
  const ids = Array.from({ length: 40 }, newBlobId);
  const [kept] = ids as [BlobId];
  for (const id of ids) await engine.blobs.write(id, one('hello'));
  await engine.blobs.remove(kept);
  await mkdir(pathOf(engine.folder, kept));
  const failed = await engine.blobs.remove(...ids).catch((error: unknown) => error);
  expect(failed).toMatchObject({ name: 'BlobsNotRemoved', reasons: new Map([[kept, expect.any(Error)]]) });
  expect(await engine.stored()).toEqual([]);
});

test.each([10, 3_000_000])('a folder that somebody has removed is made again for %i bytes', async (size) => {
  await using engine = await openEngine();
  const id = newBlobId();
  const write = () => engine.blobs.write(id, readerOf([Buffer.alloc(size)]));
  await write();
  for (const removed of [dirname(dirname(pathOf(engine.folder, id))), join(engine.folder, 'tmp')]) {
    await rm(removed, { recursive: true });
    await write();
    await engine.blobs.probe();
    expect(await engine.blobs.size(id)).toBe(size);
  }
  await rm(join(engine.folder, 'tmp'), { recursive: true });
  expect(await engine.blobs.sweepUnfinished(Infinity)).toBe(0);
});

test('blobs behind a link are not listed, so the sweep does not delete them', async () => {
  await using engine = await openEngine();
  await using other = await openEngine();
  const id = newBlobId();
  await engine.blobs.write(id, one('hello'));
  const outer = dirname(dirname(pathOf(engine.folder, id)));
  await rename(outer, join(other.folder, 'moved'));
  await symlink(join(other.folder, 'moved'), outer);
  for await (const blob of engine.blobs.list()) expect.fail(`listed ${blob.id}`);
});

test('damage keeps the version of a blob, and damaged bytes are readable by the owner only', async () => {
  await using engine = await openEngine();
  const id = newBlobId();
  await engine.blobs.write(id, one('hello'));
  const written = new Date('2026-01-01');
  const versionNow = async () => {
    // A disk does not report a lost bit.
    await utimes(pathOf(engine.folder, id), written, written);
    await using reader = await engine.blobs.open(id, 0, 0);
    return reader.version;
  };
  const before = await versionNow();
  await writeFile(pathOf(engine.folder, id), 'hellO', { flag: 'r+' });
  expect(await versionNow()).toBe(before);
  const path = (await engine.blobs.setAside(id, before)) ?? '';
  expect(dirname(path)).toBe(join(engine.folder, 'damaged'));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

/** Files in `folder` that this process has open. Only Linux lists them. */
function openFilesIn(folder: string): string[] {
  const linkOf = (fd: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  };
  const paths = process.platform === 'linux' ? readdirSync('/proc/self/fd').map(linkOf) : [];
  return paths.filter((path) => path.startsWith(folder));
}

test('a storage that is closed has ended its writes', async () => {
  await using engine = await openEngine();
  const [small, large] = [newBlobId(), newBlobId()];
  const writes = [
    engine.blobs.write(small, one('hello')),
    engine.blobs.write(large, readerOf([Buffer.alloc(3_000_000)])),
  ];
  await engine.blobs[Symbol.asyncDispose]();
  expect((await engine.stored()).toSorted()).toEqual([small, large].toSorted());
  await Promise.all(writes);
});

test.each([0, 1_048_577, 30_000_000])('a write whose source fails after %i bytes leaves no file open', async (size) => {
  await using engine = await openEngine();
  async function* source() {
    yield Buffer.alloc(size);
    throw new Error('the client went away');
  }
  await expect(engine.blobs.write(newBlobId(), readerOf(source()))).rejects.toThrow('went away');
  expect([openFilesIn(engine.folder), await engine.stored()]).toEqual([[], []]);
});

test('a thread that dies fails its writes, which leave no file and no descriptor', async () => {
  await using engine = await openEngine();
  const blobs = await openDiskBlobs(engine.folder, openFileWriter(deadlyThread));
  const writes = Array.from({ length: 5 }, () => blobs.write(newBlobId(), readerOf([Buffer.alloc(5_000_000)])));
  for (const end of await Promise.allSettled(writes))
    expect(end).toMatchObject({ reason: { name: 'BlobsUnavailable' } });
  expect([openFilesIn(engine.folder), await engine.stored()]).toEqual([[], []]);
});

const deadlyThread = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', () => { throw new Error('the thread died'); });`)}`,
);

test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])(
  'while the system is short of something (%s), a later try may succeed',
  async (code) => {
    await using engine = await openEngine();
    const short = () => Promise.reject(Object.assign(new Error(code), { code }));
    const writer = Object.assign(openFileWriter(), {
      write: (_: unknown, store: (begun: object) => unknown) => store({ place: short }),
    });
    const blobs = await openDiskBlobs(engine.folder, writer);
    await expect(blobs.write(newBlobId(), one('hello'))).rejects.toBeInstanceOf(BlobsUnavailable);
    expect(await engine.stored()).toEqual([]);
  },
);
