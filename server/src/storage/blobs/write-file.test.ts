import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { onTestFinished, expect, test } from 'vitest';
import { type ByteReader, readerOf } from '../../lib/byte-reader.ts';
import { BlobsUnavailable } from './blobs.ts';
import { type FileWriter, openFileWriter, slabBytes } from './write-file.ts';
import { openWriteThreads } from './write-threads.ts';

const digestOf = (bytes: Buffer, algorithm = 'sha256') => createHash(algorithm).update(bytes).digest('hex');

function* inChunks(bytes: Buffer, size = 65_536) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Runs `use` with a new file, and closes it at once afterwards, as a store does. */
async function withFile<T>(use: (file: FileHandle, path: string) => Promise<T>): Promise<T> {
  const path = join(memoryFolder(), `holdfast-write-${randomUUID()}`);
  const file = await open(path, 'wx');
  try {
    return await use(file, path);
  } finally {
    await file.close();
    await rm(path);
  }
}

const write = (writer: FileWriter, source: ByteReader) =>
  withFile(async (file, path) => ({
    ...(await writer.write(source, ({ writeTo }) => writeTo(file))),
    bytes: await readFile(path),
  }));

async function newPaths() {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-place-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return { folder, tempPath: join(folder, 'temp'), path: join(folder, 'file') };
}

test.each([0, 1, slabBytes - 1, slabBytes, slabBytes + 1, 18 * slabBytes + 7])(
  '%i bytes are written unchanged, with their size and digest',
  async (size) => {
    await using writer = openFileWriter();
    const bytes = randomBytes(size);
    for (const chunk of [40_000, 3_000_000]) {
      const written = await write(writer, readerOf(inChunks(bytes, chunk)));
      expect(written.bytes.equals(bytes), `chunks of ${chunk}`).toBe(true);
      expect(written, `chunks of ${chunk}`).toMatchObject({ size, sha256: digestOf(bytes) });
    }
  },
);

test.each([0, 1, slabBytes - 1])('%i bytes are placed, or the error keeps its code', async (size) => {
  await using writer = openFileWriter();
  const bytes = randomBytes(size);
  const { folder, tempPath, path } = await newPaths();
  const store = (to: string) => writer.write(readerOf(inChunks(bytes)), async ({ place }) => place?.(tempPath, to));
  expect(await store(path)).toEqual({ size, sha256: digestOf(bytes) });
  expect((await readFile(path)).equals(bytes)).toBe(true);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['file']);
  await expect(store('/dev/null/file')).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test('no bytes of a failed write end up in a file that is opened next', async () => {
  const { path: failed } = await newPaths();
  const slow = program(`
    writeSync(fd, 'begun');
    while (!existsSync('${failed}'));
    writeSync(fd, 'late');`);
  await using writer = openFileWriter(slow);
  await withFile(async (file, path) => {
    async function* source() {
      yield Buffer.alloc(slabBytes + 5);
      await expect.poll(() => readFile(path, 'utf8')).toBe('begun');
      setImmediate(() => writeFileSync(failed, ''));
      throw new Error('the client went away');
    }
    await expect(writer.write(readerOf(source()), ({ writeTo }) => writeTo(file))).rejects.toThrow('went away');
    expect(await readFile(path, 'utf8')).toBe('begunlate');
  });
});

test('an error of the file system fails the write with its code, and the source is read no further', async () => {
  await using writer = openFileWriter();
  let reads = 0;
  const endless: ByteReader = { read: async (into) => ((reads += 1), into.length) };
  await withFile(async (_, path) => {
    await using readOnly = await open(path, 'r');
    const writing = writer.write(endless, ({ writeTo }) => writeTo(readOnly));
    await expect(writing).rejects.toMatchObject({ code: 'EBADF' });
  });
  const before = reads;
  await new Promise(setImmediate);
  expect(reads).toBe(before);
});

test('an early sync that fails fails the write', async () => {
  await using writer = openFileWriter();
  await withFile(async (file) => {
    const broken = new Error('EIO');
    Object.assign(file, { datasync: () => Promise.reject(broken) });
    const source = readerOf(inChunks(Buffer.alloc(18 * slabBytes)));
    await expect(writer.write(source, ({ writeTo }) => writeTo(file))).rejects.toBe(broken);
  });
});

test('a thread that dies fails its writes only, and the next ones are written', async () => {
  const deadly = program(`if (new Uint8Array(slab)[0] === 1) throw new Error('the thread died');`);
  await using writer = openFileWriter(deadly);
  const slabs = (byte: number) => readerOf(inChunks(Buffer.alloc(3 * slabBytes, byte)));
  const failed = await write(writer, slabs(1)).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(BlobsUnavailable);
  expect(failed).toMatchObject({ cause: { message: 'the thread died' } });
  expect(await write(writer, slabs(2))).toMatchObject({ size: 3 * slabBytes });
});

/** The program of a thread that runs `onSlab` with each slab. */
function program(onSlab: string): URL {
  const code = `
    import { existsSync, writeSync } from 'node:fs';
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ kind, fd, slab }) => {
      if (kind === 'end') return;
      if (!slab) return parentPort.postMessage({ digests: { sha256: String(threadId) } });
      ${onSlab}
      parentPort.postMessage({ slab }, [slab]);
    });`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

test('a stream computes the digests that are asked for, and those of each slab', async () => {
  await using threads = openWriteThreads(1);
  const [first, second] = [randomBytes(10_000), randomBytes(20_000)];
  using stream = threads.stream({ algorithms: ['sha1', 'sha256'], each: true });
  for (const bytes of [first, second]) {
    const slab = new ArrayBuffer(30_000);
    Buffer.from(slab).set(bytes);
    const appended = await stream.append(slab, bytes.length);
    expect(appended.slab.byteLength).toBe(30_000);
    expect(appended.sha256).toBe(digestOf(bytes));
  }
  const all = Buffer.concat([first, second]);
  expect(await stream.digests()).toEqual({ sha1: digestOf(all, 'sha1'), sha256: digestOf(all) });
});
