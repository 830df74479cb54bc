import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type ByteReader, readerOf } from '../../lib/byte-reader.ts';
import { newBlobId } from './blob-id.ts';
import { type BlobId, BlobMissing, type BlobStore, type WrittenBytes } from './blobs.ts';

/** An empty engine, with access to its contents for tests only. */
export interface BlobEngine extends AsyncDisposable {
  readonly blobs: BlobStore;
  /** Returns the ids of everything stored, whether complete or not. */
  readonly stored: () => Promise<string[]>;
  /** Truncates a stored blob, as a damaged disk would. */
  readonly shorten: (id: BlobId, size: number) => Promise<void>;
}

/** Tests the promises of every blob engine (see `BlobStore`). */
export function blobConformance(open: () => Promise<BlobEngine>): void {
  test.each([0, 1, 65_537, 1_000_000, 20_000_001])('a blob of %i bytes is read as it was written', async (size) => {
    await using engine = await open();
    const [id, bytes] = [newBlobId(), randomBytes(size)];
    expect(await engine.blobs.write(id, inChunks(bytes, 40_000))).toEqual({ size, sha256: sha256(bytes) });
    expect(await engine.blobs.size(id)).toBe(size);
    expect((await readAll(engine.blobs, id, 0, size - 1)).equals(bytes)).toBe(true);
    expect(await engine.stored()).toEqual([id]);
  });

  test('any range of a blob can be read, both ends inclusive, and ends at its last byte', async () => {
    await using engine = await open();
    const [id, bytes] = await writeRandom(engine, 600_000);
    for (const [start, end] of [
      [0, 0],
      [599_999, 599_999],
      [262_143, 262_145],
      [100, 400_000],
    ] as const) {
      const read = await readAll(engine.blobs, id, start, end);
      expect(read.equals(bytes.subarray(start, end + 1)), `${start}–${end}`).toBe(true);
    }
  });

  test.each([100_000, 10_000_000])('a write whose source fails after %i bytes leaves nothing', async (size) => {
    await using engine = await open();
    const broken = new Error('the client went away');
    async function* source() {
      yield Buffer.alloc(size);
      throw broken;
    }
    await expect(engine.blobs.write(newBlobId(), readerOf(source()))).rejects.toBe(broken);
    expect(await engine.stored()).toEqual([]);
  });

  test.each([0, 100_000, 10_000_000])('%i bytes that are not accepted leave nothing', async (size) => {
    await using engine = await open();
    const [id, bytes, refusal] = [newBlobId(), randomBytes(size), new Error('other bytes were expected')];
    const seen: unknown[] = [];
    const refuse = (written: WrittenBytes) => {
      seen.push(written);
      throw refusal;
    };
    await expect(engine.blobs.write(id, inChunks(bytes, 40_000), refuse)).rejects.toBe(refusal);
    expect(seen).toEqual([{ size, sha256: sha256(bytes) }]);
    expect(await engine.stored()).toEqual([]);
  });

  test('removed blobs are gone, whether they were there or not', async () => {
    await using engine = await open();
    const ids = Array.from({ length: 40 }, newBlobId);
    for (const id of ids) await engine.blobs.write(id, inChunks(Buffer.from('hello')));
    await engine.blobs.remove(ids[0] as BlobId);
    await engine.blobs.remove(...ids.slice(0, 39), newBlobId());
    expect(await engine.stored()).toEqual(ids.slice(39));
    await engine.blobs.remove();
    for (const missing of [ids[0] as BlobId, newBlobId()]) {
      await expect(engine.blobs.open(missing, 0, 4)).rejects.toBeInstanceOf(BlobMissing);
      await expect(engine.blobs.size(missing)).rejects.toBeInstanceOf(BlobMissing);
    }
  });

  test('a blob that is shorter than its range fails in the end instead of looking whole', async () => {
    await using engine = await open();
    const [id, bytes] = await writeRandom(engine, 500_000);
    await engine.shorten(id, 400_000);
    const read: Buffer[] = [];
    await expect(readInto(read, engine.blobs, id, 0, 499_999)).rejects.toBeInstanceOf(BlobMissing);
    expect(Buffer.concat(read).equals(bytes.subarray(0, 400_000))).toBe(true);
    await using reader = await engine.blobs.open(id, 0, 0);
    expect([reader.size, await engine.blobs.size(id)]).toEqual([400_000, 400_000]);
  });

  test.each([
    [40, 30_000],
    [12, 3_000_000],
  ])('%i writes side by side of %i bytes do not mix', async (count, size) => {
    await using engine = await open();
    const blobs = await Promise.all(Array.from({ length: count }, () => writeRandom(engine, size)));
    for (const [id, bytes] of blobs) expect((await readAll(engine.blobs, id, 0, size - 1)).equals(bytes)).toBe(true);
    expect((await engine.stored()).toSorted()).toEqual(blobs.map(([id]) => id).toSorted());
  });

  test.each([null, 0, 4_000, 6_000])('bytes take the place of others of which %s are left', async (left) => {
    await using engine = await open();
    const to = newBlobId();
    if (left !== null) await engine.blobs.write(to, inChunks(randomBytes(left)));
    const [from, bytes] = await writeRandom(engine, 5_000);
    await engine.blobs.replace(from, to);
    expect((await readAll(engine.blobs, to, 0, 4_999)).equals(bytes)).toBe(true);
    expect(await engine.stored()).toEqual([to]);
    // Bytes that are missing take the place of none.
    await expect(engine.blobs.replace(from, to)).rejects.toBeInstanceOf(BlobMissing);
    expect(await engine.blobs.size(to)).toBe(5_000);
  });

  test('damaged bytes leave their place each time, are kept, and are no blob any more', async () => {
    await using engine = await open();
    const [[id, bytes], [kept]] = [await writeRandom(engine, 5_000), await writeRandom(engine, 5_000)];
    for (let times = 0; times < 2; times += 1) {
      const version = await versionOf(engine.blobs, id);
      expect(await engine.blobs.setAside(id, version)).toContain(id);
      await expect(engine.blobs.size(id)).rejects.toBeInstanceOf(BlobMissing);
      expect(await listAll(engine.blobs)).toEqual([kept]);
      expect(await engine.blobs.setAside(id, version)).toBeNull();
      await engine.blobs.write(id, inChunks(bytes));
    }
    expect(await engine.blobs.sweepUnfinished(Date.now() + 60_000)).toBe(0);
    expect(await engine.stored()).toHaveLength(4);
  });

  test('bytes that came to the place of damaged ones stay there, whether written, moved or equal', async () => {
    await using engine = await open();
    const [[id, bytes], from] = [await writeRandom(engine, 5_000), newBlobId()];
    const first = await versionOf(engine.blobs, id);
    await engine.blobs.write(from, inChunks(bytes));
    await engine.blobs.replace(from, id);
    expect(await engine.blobs.setAside(id, first)).toBeNull();
    const second = await versionOf(engine.blobs, id);
    await engine.blobs.remove(id);
    await engine.blobs.write(id, inChunks(bytes));
    for (const version of [first, second]) expect(await engine.blobs.setAside(id, version)).toBeNull();
    expect((await readAll(engine.blobs, id, 0, 4_999)).equals(bytes)).toBe(true);
  });

  test('a blob is removed while someone reads it, and what is read stays right or fails', async () => {
    await using engine = await open();
    const [id, bytes] = await writeRandom(engine, 2_000_000);
    await using reader = await engine.blobs.open(id, 0, bytes.length - 1);
    const read = Buffer.alloc(bytes.length);
    let length = await reader.read(read.subarray(0, 100_000));
    await engine.blobs.remove(id);
    try {
      for (let count; (count = await reader.read(read.subarray(length))) > 0;) length += count;
      expect(length).toBe(bytes.length);
    } catch (error) {
      expect(error).toBeInstanceOf(BlobMissing);
    }
    expect(read.subarray(0, length).equals(bytes.subarray(0, length))).toBe(true);
  });

  test('the list names every blob once with its size and age, in the order of the ids, after any id', async () => {
    await using engine = await open();
    const ids = Array.from({ length: 30 }, newBlobId).toSorted();
    for (const [size, id] of ids.entries()) await engine.blobs.write(id, inChunks(Buffer.alloc(size)));
    let size = 0;
    for await (const blob of engine.blobs.list()) {
      expect([blob.id, blob.size]).toEqual([ids[size], size]);
      // Storage clocks tick in seconds at worst.
      expect(Math.abs(blob.storedAt - Date.now())).toBeLessThan(60_000);
      size += 1;
    }
    expect(size).toBe(30);
    for (const after of [...ids, newBlobId(), newBlobId(), '0'.repeat(32), 'f'.repeat(32)] as BlobId[])
      expect(await listAll(engine.blobs, after), after).toEqual(ids.filter((id) => id > after));
  });

  test('neither a blob that is being written nor a probe nor a mark is in the list, and a probe leaves nothing', async () => {
    await using engine = await open();
    const listed: string[][] = [];
    async function* source() {
      yield Buffer.alloc(100_000);
      await engine.blobs.markService('a service');
      await engine.blobs.probe();
      listed.push(await listAll(engine.blobs));
    }
    const id = newBlobId();
    await engine.blobs.write(id, readerOf(source()));
    listed.push(await listAll(engine.blobs));
    expect(listed).toEqual([[], [id]]);
    expect((await engine.stored()).filter((name) => name !== 'service-id')).toEqual([id]);
  });

  test('of services that claim a storage at once one gets it, until it is marked for another', async () => {
    await using engine = await open();
    expect(await engine.blobs.serviceId()).toBeNull();
    const services = Array.from({ length: 12 }, (_, n) => `service ${n}`);
    const owners = new Set(await Promise.all(services.map((service) => engine.blobs.claimFor(service))));
    expect(owners.size).toBe(1);
    const [owner] = owners;
    expect(services).toContain(owner);
    expect(await engine.blobs.claimFor('late')).toBe(owner);
    expect(await engine.blobs.serviceId()).toBe(owner);
    await engine.blobs.markService('restored with spaces/and.marks');
    expect(await engine.blobs.claimFor('late')).toBe('restored with spaces/and.marks');
  });
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function writeRandom({ blobs }: BlobEngine, size: number): Promise<[BlobId, Buffer]> {
  const [id, bytes] = [newBlobId(), randomBytes(size)];
  await blobs.write(id, inChunks(bytes));
  return [id, bytes];
}

async function listAll(blobs: BlobStore, after?: BlobId): Promise<BlobId[]> {
  const listed: BlobId[] = [];
  for await (const { id } of blobs.list(after)) listed.push(id);
  return listed;
}

async function versionOf(blobs: BlobStore, id: BlobId): Promise<string> {
  await using reader = await blobs.open(id, 0, 0);
  return reader.version;
}

function inChunks(bytes: Buffer, size = 65_536): ByteReader {
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return readerOf(chunks);
}

export async function readAll(blobs: BlobStore, id: BlobId, start: number, end: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await readInto(chunks, blobs, id, start, end);
  return Buffer.concat(chunks);
}

async function readInto(chunks: Buffer[], blobs: BlobStore, id: BlobId, start: number, end: number): Promise<void> {
  await using reader = await blobs.open(id, start, end);
  const into = Buffer.alloc(70_000);
  for (let count; (count = await reader.read(into)) > 0;) chunks.push(Buffer.from(into.subarray(0, count)));
}
