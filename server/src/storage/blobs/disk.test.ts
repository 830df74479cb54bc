import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readerOf } from '../../lib/byte-reader.ts';
import { blobPath, newBlobId } from './blob-id.ts';
import { type BlobId, BlobMissing, BlobsUnavailable } from './blobs.ts';
import { blobConformance, type BlobEngine, readAll } from './conformance.ts';
import { openDiskBlobs } from './disk.ts';
import { openFileWriter } from './write-file.ts';

const pathOf = (folder: string, id: BlobId) => join(folder, id.slice(0, 2), id.slice(2, 4), id);

async function openEngine(): Promise<BlobEngine & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-blobs-'));
  return {
    folder,
    blobs: await openDiskBlobs(folder),
    async stored() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    },
    shorten: (id, size) => truncate(pathOf(folder, id), size),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const tempFilesOf = (folder: string) => readdir(join(folder, 'tmp'));

blobConformance(openEngine);

const one = (text: string) => readerOf([Buffer.from(text)]);

test('a blob is stored two folders deep, readable by its owner only, without a temp file', async () => {
  await using engine = await openEngine();
  const id = newBlobId();
  await engine.blobs.write(id, one('hello'));
  expect((await stat(pathOf(engine.folder, id))).mode & 0o777).toBe(0o600);
  expect(await tempFilesOf(engine.folder)).toEqual([]);
});

test('blobs with ids from before 256 folders are read, listed in order and removed as before', async () => {
  await using engine = await openEngine();
  const { blobs } = engine;
  const tail = '0'.repeat(28);
  const older = ['a07f', 'a0ff', 'b100'].map((head) => `${head}${tail}` as BlobId);
  const newer = Array.from({ length: 20 }, newBlobId);
  expect(newer.every((id) => /^[0-9a-f]{2}00[0-9a-f]{28}$/.test(id))).toBe(true);
  const all = [...older, ...newer].toSorted();
  for (const id of all) await blobs.write(id, one(id));
  const listed = async (after?: BlobId) => {
    const ids: BlobId[] = [];
    for await (const { id } of blobs.list(after)) ids.push(id);
    return ids;
  };
  expect(await listed()).toEqual(all);
  for (const [at, id] of all.entries()) expect(await listed(id)).toEqual(all.slice(at + 1));
  for (const id of older) {
    expect(await blobs.size(id)).toBe(32);
    await blobs.remove(id);
  }
  expect(await listed()).toEqual(newer.toSorted());
});

test('a blob appears at its path only after all of it is written', async () => {
  await using engine = await openEngine();
  const id = newBlobId();
  const seen: string[][] = [];
  async function* source() {
    yield Buffer.from('first half');
    seen.push(await readdir(engine.folder));
    yield Buffer.from('second half');
  }
  await engine.blobs.write(id, readerOf(source()));
  expect(seen).toEqual([['tmp']]);
});

test('temp files are removed at the start and by a sweep once they are a day old', async () => {
  await using engine = await openEngine();
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const leave = async (hours: number) => {
    const path = join(engine.folder, 'tmp', randomUUID());
    await writeFile(path, 'half');
    await utimes(path, hoursAgo(hours), hoursAgo(hours));
    return basename(path);
  };
  const [, young] = [await leave(25), await leave(23)];
  expect(await engine.blobs.sweepUnfinished({ dryRun: true })).toBe(1);
  expect(await engine.blobs.sweepUnfinished({ dryRun: false })).toBe(1);
  await leave(25);
  await using _ = await openDiskBlobs(engine.folder);
  await expect.poll(() => tempFilesOf(engine.folder)).toEqual([young]);
});

test('a server makes the folders of all new blobs, and no more once it closes', async () => {
  await using engine = await openEngine();
  const folders = async () =>
    (await readdir(engine.folder, { recursive: true })).filter((path) => /^..\/00$/.test(path));
  const closed = await openDiskBlobs(engine.folder, { prepareAfterMs: 0 });
  while (!existsSync(join(engine.folder, '00', '00'))) await nextTurn();
  await closed[Symbol.asyncDispose]?.();
  expect((await folders()).length).toBeLessThan(256);
  await using _ = await openDiskBlobs(engine.folder, { prepareAfterMs: 0 });
  while ((await folders()).length < 256) await nextTurn();
  expect(await folders()).toContain(blobPath(newBlobId()).slice(0, 5));
}, 60_000);

test('blobs can be read after the storage is reopened', async () => {
  await using engine = await openEngine();
  const id = newBlobId();
  await engine.blobs.write(id, one('hello'));
  const reopened = await openDiskBlobs(engine.folder);
  expect((await readAll(reopened, id, 0, 4)).toString()).toBe('hello');
});

test('a symlink in the place of a blob is not followed', async () => {
  await using engine = await openEngine();
  const [id, neighbor] = [newBlobId(), newBlobId()];
  await engine.blobs.write(id, one('hello'));
  await engine.blobs.remove(id);
  await writeFile(join(engine.folder, neighbor), 'private');
  await symlink(join(engine.folder, neighbor), pathOf(engine.folder, id));
  await expect(engine.blobs.open(id, 0, 6)).rejects.toThrow(/ELOOP/);
  await expect(engine.blobs.open(newBlobId(), 0, 6)).rejects.toBeInstanceOf(BlobMissing);
});

test('a temp folder that is a link is refused, and nothing behind it is deleted', async () => {
  await using engine = await openEngine();
  const [temp, elsewhere] = [join(engine.folder, 'tmp'), join(engine.folder, 'elsewhere')];
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'kept'), 'kept');
  await utimes(join(elsewhere, 'kept'), new Date(0), new Date(0));
  await rm(temp, { recursive: true });
  await symlink(elsewhere, temp);
  const refusal = `${temp} is a symbolic link, and must be a folder`;
  await expect(openDiskBlobs(engine.folder)).rejects.toThrow(refusal);
  await expect(engine.blobs.sweepUnfinished({ dryRun: false })).rejects.toThrow(refusal);
  expect(await readdir(elsewhere)).toEqual(['kept']);
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

test('the service mark is in the root, readable by its owner only, and kept after reopening', async () => {
  await using engine = await openEngine();
  await engine.blobs.markService('a service');
  expect((await stat(join(engine.folder, 'service-id'))).mode & 0o777).toBe(0o600);
  expect(await tempFilesOf(engine.folder)).toEqual([]);
  expect(await (await openDiskBlobs(engine.folder)).serviceId()).toBe('a service');
});

test('a probe creates no folder, and fails when the temp folder is missing', async () => {
  await using engine = await openEngine();
  await engine.blobs.probe();
  expect(await readdir(engine.folder, { recursive: true })).toEqual(['tmp']);
  await rm(join(engine.folder, 'tmp'), { recursive: true });
  await expect(engine.blobs.probe()).rejects.toThrow(/ENOENT/);
});

test('a blob can replace another whose folder is lost', async () => {
  await using engine = await openEngine();
  const [from, to] = [newBlobId(), newBlobId()];
  await engine.blobs.write(to, one('hello'));
  await rm(dirname(dirname(pathOf(engine.folder, to))), { recursive: true });
  await engine.blobs.write(from, one('hello'));
  await engine.blobs.replace(from, to);
  expect((await readAll(engine.blobs, to, 0, 4)).toString()).toBe('hello');
});

test('damage keeps the version of a blob, and damaged bytes are readable by the owner only', async () => {
  await using engine = await openEngine();
  const id = newBlobId();
  await engine.blobs.write(id, one('hello'));
  const written = new Date('2026-01-01');
  await utimes(pathOf(engine.folder, id), written, written);
  const versionNow = async () => {
    await using reader = await engine.blobs.open(id, 0, 0);
    return reader.version;
  };
  const before = await versionNow();
  await writeFile(pathOf(engine.folder, id), 'hellO', { flag: 'r+' });
  // A disk does not report a lost bit.
  await utimes(pathOf(engine.folder, id), written, written);
  expect(await versionNow()).toBe(before);
  const path = (await engine.blobs.setAside(id, before)) ?? '';
  expect(dirname(path)).toBe(join(engine.folder, 'damaged'));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

/** Files in `folder` that this process has open. Only Linux lists them. */
function openFilesIn(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return [];
      }
    })
    .filter((path) => path.startsWith(folder));
}

const isLinux = process.platform === 'linux';

test.skipIf(!isLinux)('a thread that dies fails its writes, which leave no file and no descriptor', async () => {
  await using engine = await openEngine();
  const dead = new URL(`data:text/javascript,${encodeURIComponent(threadThatDiesOf('x'))}`);
  await using blobs = await openDiskBlobs(engine.folder, { writer: openFileWriter(dead) });
  const large = (first: string) => readerOf([Buffer.alloc(5_000_000, first)]);
  const ids = Array.from({ length: 5 }, newBlobId);
  const ends = await Promise.allSettled(ids.map((id) => blobs.write(id, large('x'))));
  for (const end of ends) expect(end).toMatchObject({ reason: { name: 'BlobsUnavailable' } });
  expect(await engine.stored()).toEqual([]);
  expect(openFilesIn(engine.folder)).toEqual([]);
  const id = newBlobId();
  expect(await blobs.write(id, large('y'))).toMatchObject({ size: 5_000_000 });
  expect(await blobs.size(id)).toBe(5_000_000);
});

/** The program of a thread that writes slabs unless they begin with a certain character. */
const threadThatDiesOf = (character: string) => `
  import { writeSync } from 'node:fs';
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ call, fd, slab, length }) => {
    if (!slab) return parentPort.postMessage({ call, digests: { sha256: '' } });
    const bytes = new Uint8Array(slab, 0, length);
    if (bytes[0] === '${character}'.charCodeAt(0)) throw new Error('the thread died');
    writeSync(fd, bytes);
    parentPort.postMessage({ call, slab }, [slab]);
  });`;

test.skipIf(!isLinux)('a write whose source fails anywhere leaves no descriptor open', async () => {
  await using engine = await openEngine();
  for (const size of [0, 1, 1_048_576, 1_048_577, 2_500_000, 30_000_000]) {
    async function* source() {
      yield Buffer.alloc(size);
      throw new Error('the client went away');
    }
    await expect(engine.blobs.write(newBlobId(), readerOf(source()))).rejects.toThrow('went away');
    expect(openFilesIn(engine.folder)).toEqual([]);
    expect(await engine.stored()).toEqual([]);
  }
});

test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])(
  'while the system is short of something (%s), a later try may succeed',
  async (code) => {
    await using engine = await openEngine();
    const short = () => Promise.reject(Object.assign(new Error(code), { code }));
    const begun = { isWhole: true, place: short, writeTo: short, [Symbol.dispose]() {} };
    const writer = { begin: async () => begun, async [Symbol.asyncDispose]() {} };
    await using blobs = await openDiskBlobs(engine.folder, { writer, sweepsItself: false });
    await expect(blobs.write(newBlobId(), one('hello'))).rejects.toBeInstanceOf(BlobsUnavailable);
    expect(await engine.stored()).toEqual([]);
  },
);
