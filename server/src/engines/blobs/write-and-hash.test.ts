import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { closeSync, readlinkSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ByteReader, readerOf } from '../../lib/byte-reader.ts';
import { BlobsUnavailable } from './blobs.ts';
import { slabBytes } from './slabs.ts';
import { type FileWriter, openFileWriter } from './write-and-hash.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

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
    const { mode } = await stat(path);
    return {
      ...written,
      mode: mode & 0o777,
      bytes: await readFile(path),
      isOpen,
      names: await readdir(folder),
      folder,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const sizes = [0, 1, 65_536, slabBytes - 1, slabBytes, slabBytes + 1, 3 * slabBytes, 4 * slabBytes + 7, 40 * slabBytes];

test.each(sizes)('%i bytes are written unchanged, with their size and digest', async (size) => {
  await using writer = openFileWriter();
  const bytes = randomBytes(size);
  for (const chunk of [40_000, 65_536, 3_000_000]) {
    const written = await write(writer, readerOf(inChunks(bytes, chunk)));
    expect(written.bytes.equals(bytes), `chunks of ${chunk}`).toBe(true);
    expect(written, `chunks of ${chunk}`).toMatchObject({ size, sha256: sha256(bytes) });
  }
});

test('what fits into a slab is whole, and is placed unchanged with its size and digest', async () => {
  await using writer = openFileWriter();
  for (const size of [0, 1, 10_000, slabBytes - 1]) {
    const bytes = randomBytes(size);
    const placed = await place(writer, readerOf(inChunks(bytes)));
    expect(placed.bytes.equals(bytes)).toBe(true);
    const { folder } = placed;
    expect(placed).toMatchObject({ size, sha256: sha256(bytes), mode: 0o600, names: ['file'] });
    expect(placed.isOpen).toEqual([join(folder, 'file'), folder]);
  }
  using large = await writer.begin(readerOf(inChunks(Buffer.alloc(slabBytes + 1))));
  expect(large.isWhole).toBe(false);
});

test('a file that cannot be placed keeps the code of the error, and the next one is placed', async () => {
  await using writer = openFileWriter();
  const text = () => readerOf([Buffer.from('hello')]);
  await expect(place(writer, text(), '/nowhere/file')).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await place(writer, text())).toMatchObject({ size: 5 });
});

test('a thread that dies fails the files that it places, and the next one is placed', async () => {
  const deadly = `
    parentPort.on('message', ({ slab }) => {
      if (new Uint8Array(slab)[0] === 1) throw new Error('the thread died');
      parentPort.postMessage({ error: { message: 'it lives', code: 'OK' } });
    });`;
  const url = new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${deadly}`)}`,
  );
  await using writer = openFileWriter({ program: url });
  const deaths = await Promise.allSettled([1, 1, 1].map((byte) => place(writer, readerOf([Buffer.from([byte])]))));
  for (const death of deaths) expect(death).toMatchObject({ reason: { name: 'BlobsUnavailable' } });
  await expect(place(writer, readerOf([Buffer.from([2])]))).rejects.toMatchObject({ code: 'OK' });
});

test.each([
  ['written', write, 123_457],
  ['placed', place, 1_000],
] as const)('files that are %s at once do not mix', async (_how, store, step) => {
  await using writer = openFileWriter();
  const files = Array.from({ length: 30 }, (_, index) => randomBytes(index * step));
  const written = await Promise.all(files.map((bytes) => store(writer, readerOf(inChunks(bytes)))));
  for (const [index, { bytes, sha256: digest }] of written.entries()) {
    expect(bytes.equals(files[index] ?? Buffer.alloc(0))).toBe(true);
    expect(digest).toBe(sha256(bytes));
  }
});

test('a slow source is written before a slab is full', async () => {
  await using writer = openFileWriter({ longestFillMs: 0 });
  await withFile(async (file, path) => {
    const sizesSeen: number[] = [];
    async function* source() {
      for (const text of ['abc', 'def', 'ghi']) {
        yield Buffer.from(text);
        await expect.poll(() => readFile(path, 'utf8')).toContain(text);
        sizesSeen.push((await file.stat()).size);
      }
    }
    expect(await writeTo(writer, file, readerOf(source()))).toEqual({
      size: 9,
      sha256: sha256(Buffer.from('abcdefghi')),
    });
    expect(sizesSeen).toEqual([3, 6, 9]);
  });
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
  const slow = `
    port.on('message', ({ slab }) => {
      writeSync(fd, 'begun');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      writeSync(fd, 'late');
      port.postMessage({ slab }, [slab]);
    });`;
  await using writer = openFileWriter({ program: program(slow) });
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

test('an error of the file system fails the write, and the source is read no further', async () => {
  await using writer = openFileWriter();
  let slabsRead = 0;
  const endless: ByteReader = {
    async read(into) {
      slabsRead += 1;
      return into.length;
    },
  };
  await withFile(async (_, path) => {
    await using readOnly = await open(path, 'r');
    await expect(writeTo(writer, readOnly, endless)).rejects.toMatchObject({ code: 'EBADF' });
  });
  const before = slabsRead;
  await new Promise(setImmediate);
  expect(slabsRead).toBe(before);
});

test('an early sync that fails fails the write', async () => {
  await using writer = openFileWriter();
  await withFile(async (file) => {
    const broken = new Error('EIO');
    const datasync = () => new Promise((_, reject) => setTimeout(reject, 100, broken));
    const source = readerOf(inChunks(Buffer.alloc(16 * slabBytes)));
    await expect(writeTo(writer, Object.assign(file, { datasync }), source)).rejects.toBe(broken);
  });
});

test('a thread that dies fails its write only, and the next one is written', async () => {
  const deadly = `
    port.on('message', (piece) => {
      if (piece === null) return port.postMessage({ sha256: '' });
      if (new Uint8Array(piece.slab)[0] === 1) throw new Error('the thread died');
      port.postMessage({ slab: piece.slab }, [piece.slab]);
    });`;
  await using writer = openFileWriter({ program: program(deadly) });
  const slabs = (byte: number) => readerOf(inChunks(Buffer.alloc(3 * slabBytes, byte)));
  const failed = await write(writer, slabs(1)).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(BlobsUnavailable);
  expect(failed).toMatchObject({ cause: { message: 'the thread died' } });
  expect(await write(writer, slabs(2))).toMatchObject({ size: 3 * slabBytes });
});

/** The program of a thread that runs `onWrite` for each file. */
function program(onWrite: string): URL {
  const code = `
    import { writeSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ port, fd }) => { ${onWrite} });`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
