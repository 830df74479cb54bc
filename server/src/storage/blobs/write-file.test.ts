import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readlinkSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
  const path = join(tmpdir(), `holdfast-write-${randomUUID()}`);
  const file = await open(path, 'wx');
  try {
    return await use(file, path);
  } finally {
    await file.close();
    await rm(path);
  }
}

async function writeTo(writer: FileWriter, file: FileHandle, source: ByteReader) {
  using begun = await writer.begin(source);
  return await begun.writeTo(file);
}

const write = (writer: FileWriter, source: ByteReader) =>
  withFile(async (file, path) => ({ ...(await writeTo(writer, file, source)), bytes: await readFile(path) }));

/** Places a file in a new folder, or `at` a path. */
async function place(writer: FileWriter, source: ByteReader, at?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-place-'));
  const [tempPath, path] = [join(folder, 'temp'), join(folder, 'file')];
  try {
    using begun = await writer.begin(source);
    const { fd, folderFd, ...written } = await begun.place({ tempPath, path: at ?? path, folder });
    const isOpen = [fd, folderFd].map((descriptor) => readlinkSync(`/proc/self/fd/${descriptor}`));
    for (const descriptor of [fd, folderFd]) closeSync(descriptor);
    const mode = (await stat(path)).mode & 0o777;
    return { ...written, mode, bytes: await readFile(path), isOpen, names: await readdir(folder), folder };
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.each([0, 1, slabBytes - 1, slabBytes, slabBytes + 1, 4 * slabBytes + 7, 40 * slabBytes])(
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

test('what fits into a slab is placed unchanged with its size and digest, or keeps the code of its error', async () => {
  await using writer = openFileWriter();
  for (const size of [0, 1, 10_000, slabBytes - 1]) {
    const bytes = randomBytes(size);
    const placed = await place(writer, readerOf(inChunks(bytes)));
    expect(placed.bytes.equals(bytes)).toBe(true);
    const { folder } = placed;
    expect(placed).toMatchObject({ size, sha256: digestOf(bytes), mode: 0o600, names: ['file'] });
    expect(placed.isOpen).toEqual([join(folder, 'file'), folder]);
  }
  const nowhere = place(writer, readerOf([Buffer.from('hello')]), '/nowhere/file');
  await expect(nowhere).rejects.toMatchObject({ code: 'ENOENT' });
  using large = await writer.begin(readerOf(inChunks(Buffer.alloc(slabBytes + 1))));
  expect(large.isWhole).toBe(false);
});

test.each([
  ['written', write, 123_457],
  ['placed', place, 1_000],
] as const)('files that are %s at once do not mix', async (_how, store, step) => {
  await using writer = openFileWriter();
  const files = Array.from({ length: 30 }, (_, index) => randomBytes(index * step));
  const written = await Promise.all(files.map((bytes) => store(writer, readerOf(inChunks(bytes)))));
  for (const [index, { bytes, sha256 }] of written.entries()) {
    expect(bytes.equals(files[index] ?? Buffer.alloc(0))).toBe(true);
    expect(sha256).toBe(digestOf(bytes));
  }
});

test('a source that fails fails the write', async () => {
  await using writer = openFileWriter();
  for (const slabs of [0, 1, 2, 5]) {
    const broken = new Error('the client went away');
    async function* source() {
      yield* inChunks(randomBytes(slabs * slabBytes + 5));
      throw broken;
    }
    await expect(write(writer, readerOf(source()))).rejects.toBe(broken);
  }
});

test('no bytes of a failed write end up in a file that is opened next', async () => {
  const slow = program(`
    writeSync(fd, 'begun');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    writeSync(fd, 'late');`);
  await using writer = openFileWriter(slow);
  await withFile(async (file, path) => {
    async function* source() {
      yield Buffer.alloc(slabBytes + 5);
      await expect.poll(() => readFile(path, 'utf8')).toBe('begun');
      throw new Error('the client went away');
    }
    await expect(writeTo(writer, file, readerOf(source()))).rejects.toThrow('went away');
    expect(await readFile(path, 'utf8')).toBe('begunlate');
  });
});

test('an error of the file system fails the write with its code, and the source is read no further', async () => {
  await using writer = openFileWriter();
  let reads = 0;
  const endless: ByteReader = {
    async read(into) {
      reads += 1;
      return into.length;
    },
  };
  await withFile(async (_, path) => {
    await using readOnly = await open(path, 'r');
    await expect(writeTo(writer, readOnly, endless)).rejects.toMatchObject({ code: 'EBADF' });
  });
  const before = reads;
  await new Promise(setImmediate);
  expect(reads).toBe(before);
});

test('an early sync that fails fails the write', async () => {
  await using writer = openFileWriter();
  await withFile(async (file) => {
    const broken = new Error('EIO');
    const datasync = () => Promise.reject(broken);
    const source = readerOf(inChunks(Buffer.alloc(16 * slabBytes)));
    await expect(writeTo(writer, Object.assign(file, { datasync }), source)).rejects.toBe(broken);
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
  const deaths = await Promise.allSettled([1, 1].map((byte) => place(writer, readerOf([Buffer.from([byte])]))));
  for (const death of deaths) expect(death).toMatchObject({ reason: { name: 'BlobsUnavailable' } });
});

/** The program of a thread that runs `onSlab` with each slab. */
function program(onSlab: string): URL {
  const code = `
    import { writeSync } from 'node:fs';
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ call, fd, slab }) => {
      if (!slab) return parentPort.postMessage({ call, digests: { sha256: String(threadId) } });
      ${onSlab}
      parentPort.postMessage({ call, slab }, [slab]);
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

test('a thread is started while all others are busy; at the limit the least busy is used', async () => {
  await using threads = openWriteThreads(2, program(''));
  const start = async () => {
    const stream = threads.stream({});
    return { stream, thread: (await stream.digests()).sha256 };
  };
  const streams = [await start(), await start(), await start()];
  const [first, second, third] = streams.map(({ thread }) => thread);
  expect(second).not.toBe(first);
  expect([first, second]).toContain(third);
  for (const { stream, thread } of streams) if (thread === third) stream[Symbol.dispose]();
  expect((await start()).thread).toBe(third);
});

/** Of each thread of this process, by its id. */
async function niceValues(): Promise<Map<string, number>> {
  const values = new Map<string, number>();
  for (const id of await readdir('/proc/self/task')) {
    const text = await readFile(`/proc/self/task/${id}/stat`, 'utf8').catch(() => '');
    // The name of a thread, in parentheses, may contain spaces. The value is the 17th after it (proc_pid_stat(5)).
    values.set(id, Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]));
  }
  return values;
}

test.runIf(process.platform === 'linux')('a thread that hashes gives way to all others', async () => {
  const before = await niceValues();
  await using threads = openWriteThreads(1);
  using stream = threads.stream({});
  await stream.append(new ArrayBuffer(10), 10);
  const started = [...(await niceValues())].filter(([id]) => !before.has(id)).map(([, nice]) => nice);
  expect(started).toContain(Math.max(getPriority(), 10));
});

test('a thread that ends leaves the descriptors alone that it has handed over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-placed-'));
  const [tempPath, path] = [join(folder, 'temp'), join(folder, 'file')];
  try {
    const threads = openWriteThreads(1);
    const { fd, folderFd } = await threads.place({ tempPath, path, folder }, new ArrayBuffer(5), 5);
    for (const descriptor of [fd, folderFd]) closeSync(descriptor);
    // The system gives the next files the same numbers.
    const next = [fd, folderFd].map(() => openSync(path, 'r'));
    expect(new Set(next)).toEqual(new Set([fd, folderFd]));
    await threads[Symbol.asyncDispose]();
    for (const descriptor of next) {
      expect(fstatSync(descriptor).size).toBe(5);
      closeSync(descriptor);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
