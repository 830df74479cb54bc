import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
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

const write = (writer: FileWriter, source: ByteReader) =>
  withFile(async (file, path) => ({ ...(await writer.write(file, source)), bytes: await readFile(path) }));

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

test('concurrent writes do not mix', async () => {
  await using writer = openFileWriter();
  const files = Array.from({ length: 30 }, (_, index) => randomBytes(index * 123_457));
  const written = await Promise.all(files.map((bytes) => write(writer, readerOf(inChunks(bytes)))));
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
    expect(await writer.write(file, readerOf(source()))).toEqual({ size: 9, sha256: sha256(Buffer.from('abcdefghi')) });
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
    await expect(writer.write(file, readerOf(source()))).rejects.toThrow('went away');
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
    await expect(writer.write(readOnly, endless)).rejects.toMatchObject({ code: 'EBADF' });
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
    await expect(writer.write(Object.assign(file, { datasync }), source)).rejects.toBe(broken);
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
