import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type ByteReader, readerOf } from '../../lib/byte-reader.ts';
import { newBlobId } from './blob-id.ts';
import { type BlobId, BlobMissing, type BlobStore, type StoredBlob, type WrittenBytes } from './blobs.ts';

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
    expect((await readAll(engine.blobs, id, 0, size - 1)).equals(bytes)).toBe(true);
    expect(await engine.stored()).toEqual([id]);
  });

  test('any range of a blob can be read, both ends inclusive', async () => {
    await using engine = await open();
    const [id, bytes] = [newBlobId(), randomBytes(600_000)];
    await engine.blobs.write(id, inChunks(bytes, 600_000));
    for (const [start, end] of [
      [0, 0],
      [599_999, 599_999],
      [1, 262_144],
      [262_143, 262_145],
      [0, 599_999],
    ] as const)
      expect(
        (await readAll(engine.blobs, id, start, end)).equals(bytes.subarray(start, end + 1)),
        `${start}–${end}`,
      ).toBe(true);
  });

  test('a range is read in order into a buffer of any size, and ends at its last byte', async () => {
    await using engine = await open();
    const [id, bytes] = [newBlobId(), randomBytes(1_000)];
    await engine.blobs.write(id, inChunks(bytes, 1_000));
    await using reader = await engine.blobs.open(id, 100, 849);
    const [read, into] = [[] as Buffer[], Buffer.alloc(300)];
    for (let count; (count = await reader.read(into)) > 0;) read.push(Buffer.from(into.subarray(0, count)));
    expect(Buffer.concat(read).equals(bytes.subarray(100, 850))).toBe(true);
    expect(await reader.read(into)).toBe(0);
  });

  test('the size of a blob is available without reading it, also if it is damaged', async () => {
    await using engine = await open();
    const id = newBlobId();
    await engine.blobs.write(id, inChunks(Buffer.alloc(5_000), 5_000));
    const sizes = async () => {
      await using reader = await engine.blobs.open(id, 0, 0);
      return [reader.size, await engine.blobs.size(id)];
    };
    expect(await sizes()).toEqual([5_000, 5_000]);
    await engine.shorten(id, 4_000);
    expect(await sizes()).toEqual([4_000, 4_000]);
    await expect(engine.blobs.size(newBlobId())).rejects.toBeInstanceOf(BlobMissing);
  });

  test.each([100_000, 10_000_000])('a write whose source fails after %i bytes leaves nothing', async (size) => {
    await using engine = await open();
    const broken = new Error('the client went away');
    async function* source() {
      yield Buffer.alloc(size);
      throw broken;
    }
    const id = newBlobId();
    await expect(engine.blobs.write(id, readerOf(source()))).rejects.toBe(broken);
    expect(await engine.stored()).toEqual([]);
    await expect(readAll(engine.blobs, id, 0, 0)).rejects.toBeInstanceOf(BlobMissing);
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
    await expect(engine.blobs.size(id)).rejects.toBeInstanceOf(BlobMissing);
  });

  test('a blob of a store can be written to another place as it is read', async () => {
    await using engine = await open();
    const [from, to, bytes] = [newBlobId(), newBlobId(), randomBytes(3_000_000)];
    await engine.blobs.write(from, inChunks(bytes, 3_000_000));
    await using reader = await engine.blobs.open(from, 0, bytes.length - 1);
    expect(await engine.blobs.write(to, reader)).toEqual({ size: bytes.length, sha256: sha256(bytes) });
  });

  test('a removed blob is gone, and removing it again is no error', async () => {
    await using engine = await open();
    const [gone, kept] = [newBlobId(), newBlobId()];
    for (const id of [gone, kept]) await engine.blobs.write(id, inChunks(Buffer.from('hello'), 5));
    await engine.blobs.remove(gone);
    await engine.blobs.remove(gone);
    await engine.blobs.remove(newBlobId());
    expect(await engine.stored()).toEqual([kept]);
    await expect(readAll(engine.blobs, gone, 0, 4)).rejects.toBeInstanceOf(BlobMissing);
  });

  test('several blobs are removed together, whether they are there or not', async () => {
    await using engine = await open();
    const ids = Array.from({ length: 40 }, newBlobId);
    for (const id of ids) await engine.blobs.write(id, inChunks(Buffer.from('hello'), 5));
    await engine.blobs.remove(...ids.slice(1), newBlobId());
    expect(await engine.stored()).toEqual(ids.slice(0, 1));
    await engine.blobs.remove();
    await engine.blobs.remove(...ids, ...ids);
    expect(await engine.stored()).toEqual([]);
  });

  test('a missing blob cannot be opened', async () => {
    await using engine = await open();
    await expect(engine.blobs.open(newBlobId(), 0, 9)).rejects.toBeInstanceOf(BlobMissing);
  });

  test('a blob that is shorter than its range fails in the end instead of looking whole', async () => {
    await using engine = await open();
    const [id, bytes] = [newBlobId(), randomBytes(500_000)];
    await engine.blobs.write(id, inChunks(bytes, 500_000));
    await engine.shorten(id, 400_000);
    const read: Buffer[] = [];
    await expect(readInto(read, engine.blobs, id, 0, 499_999)).rejects.toBeInstanceOf(BlobMissing);
    expect(Buffer.concat(read).equals(bytes.subarray(0, 400_000))).toBe(true);
  });

  test.each([
    [40, 30_000],
    [12, 3_000_000],
  ])('%i writes side by side of %i bytes do not mix', async (count, size) => {
    await using engine = await open();
    const blobs = Array.from({ length: count }, () => ({ id: newBlobId(), bytes: randomBytes(size) }));
    await Promise.all(blobs.map(({ id, bytes }) => engine.blobs.write(id, inChunks(bytes, 10_000))));
    for (const { id, bytes } of blobs)
      expect((await readAll(engine.blobs, id, 0, bytes.length - 1)).equals(bytes)).toBe(true);
    expect((await engine.stored()).toSorted()).toEqual(blobs.map(({ id }) => id).toSorted());
  });

  test.each([0, 1, 4_000, 5_000, 6_000])(
    'bytes take the place of others of which %i are left, and have it alone',
    async (left) => {
      await using engine = await open();
      const [from, to, bytes] = [newBlobId(), newBlobId(), randomBytes(5_000)];
      await engine.blobs.write(to, inChunks(randomBytes(left), 5_000));
      await engine.blobs.write(from, inChunks(bytes, 5_000));
      await engine.blobs.replace(from, to);
      expect((await readAll(engine.blobs, to, 0, 4_999)).equals(bytes)).toBe(true);
      expect(await engine.blobs.size(to)).toBe(5_000);
      await expect(engine.blobs.open(from, 0, 0)).rejects.toBeInstanceOf(BlobMissing);
      expect(await engine.stored()).toEqual([to]);
    },
  );

  test('bytes take the place of some that are missing, also of a blob that never was', async () => {
    await using engine = await open();
    const [first, second, to, bytes] = [newBlobId(), newBlobId(), newBlobId(), randomBytes(5_000)];
    for (const from of [first, second]) {
      await engine.blobs.write(from, inChunks(bytes, 5_000));
      await engine.blobs.replace(from, to);
      expect((await readAll(engine.blobs, to, 0, 4_999)).equals(bytes)).toBe(true);
      await engine.blobs.remove(to);
    }
    expect(await engine.stored()).toEqual([]);
  });

  test('bytes that are missing take the place of none', async () => {
    await using engine = await open();
    const [to, bytes] = [newBlobId(), randomBytes(5_000)];
    await engine.blobs.write(to, inChunks(bytes, 5_000));
    await expect(engine.blobs.replace(newBlobId(), to)).rejects.toBeInstanceOf(BlobMissing);
    expect((await readAll(engine.blobs, to, 0, 4_999)).equals(bytes)).toBe(true);
  });

  test('a reader of a blob that is being replaced gets the old bytes or the new ones, and no mix', async () => {
    await using engine = await open();
    const [to, size] = [newBlobId(), 300_000];
    const versions = Array.from({ length: 8 }, (_, at) => Buffer.alloc(size, at));
    const ids = versions.map(() => newBlobId());
    for (const [at, id] of ids.entries()) await engine.blobs.write(id, inChunks(versions[at] ?? Buffer.of(), size));
    await engine.blobs.replace(ids[0] as BlobId, to);
    const read: Buffer[] = [];
    const look = async () => {
      for (let times = 0; times < 20; times += 1) read.push(await readAll(engine.blobs, to, 0, size - 1));
    };
    const replaceAll = async () => {
      for (const id of ids.slice(1)) await engine.blobs.replace(id, to);
    };
    await Promise.all([look(), look(), replaceAll()]);
    for (const bytes of read) expect(versions.some((version) => version.equals(bytes))).toBe(true);
    expect(await engine.stored()).toEqual([to]);
  });

  test('damaged bytes leave their place, are kept, and are no blob any more', async () => {
    await using engine = await open();
    const [id, kept] = [newBlobId(), newBlobId()];
    for (const each of [id, kept]) await engine.blobs.write(each, inChunks(randomBytes(5_000), 5_000));
    const version = await versionOf(engine.blobs, id);
    expect(await versionOf(engine.blobs, id)).toBe(version);
    expect(await engine.blobs.setAside(id, version)).toContain(id);
    await expect(engine.blobs.size(id)).rejects.toBeInstanceOf(BlobMissing);
    await expect(engine.blobs.open(id, 0, 0)).rejects.toBeInstanceOf(BlobMissing);
    expect((await listAll(engine.blobs)).map((blob) => blob.id)).toEqual([kept]);
    expect(await engine.blobs.sweepUnfinished({ dryRun: true })).toBe(0);
    expect(await engine.stored()).toHaveLength(2);
    expect(await engine.blobs.setAside(id, version)).toBeNull();
    expect(await engine.blobs.setAside(newBlobId(), version)).toBeNull();
  });

  test('bytes that came to the place of damaged ones stay there, whether written, moved or equal', async () => {
    await using engine = await open();
    const [id, from, bytes] = [newBlobId(), newBlobId(), randomBytes(5_000)];
    await engine.blobs.write(id, inChunks(bytes, 5_000));
    const first = await versionOf(engine.blobs, id);
    await engine.blobs.write(from, inChunks(bytes, 5_000));
    await engine.blobs.replace(from, id);
    expect(await engine.blobs.setAside(id, first)).toBeNull();
    const second = await versionOf(engine.blobs, id);
    await engine.blobs.remove(id);
    await engine.blobs.write(id, inChunks(bytes, 5_000));
    for (const version of [first, second]) expect(await engine.blobs.setAside(id, version)).toBeNull();
    expect((await readAll(engine.blobs, id, 0, 4_999)).equals(bytes)).toBe(true);
  });

  test('a blob can be damaged and mended again and again', async () => {
    await using engine = await open();
    const [id, bytes] = [newBlobId(), randomBytes(5_000)];
    for (let times = 0; times < 3; times += 1) {
      await engine.blobs.write(id, inChunks(bytes, 5_000));
      expect(await engine.blobs.setAside(id, await versionOf(engine.blobs, id))).toContain(id);
    }
    expect(await engine.stored()).toHaveLength(3);
  });

  test('a blob is removed while someone reads it, and what is read stays right or fails', async () => {
    await using engine = await open();
    const [id, bytes] = [newBlobId(), randomBytes(2_000_000)];
    await engine.blobs.write(id, inChunks(bytes, 2_000_000));
    await using reader = await engine.blobs.open(id, 0, bytes.length - 1);
    const [read, into] = [[] as Buffer[], Buffer.alloc(100_000)];
    try {
      for (let count; (count = await reader.read(into)) > 0;) {
        if (read.length === 0) await engine.blobs.remove(id);
        read.push(Buffer.from(into.subarray(0, count)));
      }
      expect(Buffer.concat(read).length).toBe(bytes.length);
    } catch (error) {
      expect(error).toBeInstanceOf(BlobMissing);
    }
    const seen = Buffer.concat(read);
    expect(seen.equals(bytes.subarray(0, seen.length))).toBe(true);
  });

  test('the list names every blob once with its size and age, in the order of the ids', async () => {
    await using engine = await open();
    const sizes = new Map(Array.from({ length: 60 }, (_, at) => [newBlobId(), at]));
    const before = Date.now();
    for (const [id, size] of sizes) await engine.blobs.write(id, inChunks(Buffer.alloc(size), 10));
    const listed = await listAll(engine.blobs);
    expect(listed.map(({ id, size }) => [id, size])).toEqual([...sizes].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    // Storage clocks tick in seconds at worst.
    for (const { storedAt } of listed) expect(Math.abs(storedAt - before)).toBeLessThan(60_000);
  });

  test('a list can begin after any id, whether it is stored or not', async () => {
    await using engine = await open();
    const ids = Array.from({ length: 20 }, newBlobId).toSorted();
    for (const id of ids) await engine.blobs.write(id, inChunks(Buffer.from('hello'), 5));
    for (const after of [
      ...ids,
      ...Array.from({ length: 20 }, newBlobId),
      '0'.repeat(32),
      'f'.repeat(32),
    ] as BlobId[]) {
      const listed = await listAll(engine.blobs, after);
      expect(
        listed.map(({ id }) => id),
        after,
      ).toEqual(ids.filter((id) => id > after));
    }
  });

  test('a list goes on while blobs come and go, and can be left early', async () => {
    await using engine = await open();
    const ids = Array.from({ length: 20 }, newBlobId).toSorted();
    for (const id of ids) await engine.blobs.write(id, inChunks(Buffer.from('hello'), 5));
    const seen = new Set<string>();
    for await (const { id } of engine.blobs.list()) {
      seen.add(id);
      if (seen.size === 1) for (const gone of ids.slice(10)) await engine.blobs.remove(gone);
    }
    for (const kept of ids.slice(0, 10)) expect(seen).toContain(kept);
    for await (const { id } of engine.blobs.list()) {
      expect(id).toBe(ids[0]);
      break;
    }
  });

  test('a blob that is still being written is not listed', async () => {
    await using engine = await open();
    const listed: number[] = [];
    async function* source() {
      yield Buffer.alloc(100_000);
      listed.push((await listAll(engine.blobs)).length);
    }
    await engine.blobs.write(newBlobId(), readerOf(source()));
    listed.push((await listAll(engine.blobs)).length);
    expect(listed).toEqual([0, 1]);
  });

  test('a probe leaves nothing behind and is never in the list', async () => {
    await using engine = await open();
    const id = newBlobId();
    await engine.blobs.write(id, inChunks(Buffer.from('hello'), 5));
    const probes = Promise.all(Array.from({ length: 10 }, () => engine.blobs.probe()));
    expect((await listAll(engine.blobs)).map((blob) => blob.id)).toEqual([id]);
    await probes;
    expect(await engine.stored()).toEqual([id]);
  });

  test('a storage returns the service id that it was last marked with', async () => {
    await using engine = await open();
    expect(await engine.blobs.serviceId()).toBeNull();
    for (const id of ['first', 'second', 'third with spaces/and.marks']) {
      await engine.blobs.markService(id);
      expect(await engine.blobs.serviceId()).toBe(id);
    }
  });

  test('of services that claim a storage at once one gets it, and later ones do not', async () => {
    await using engine = await open();
    const services = Array.from({ length: 12 }, (_, n) => `service ${n}`);
    const owners = new Set(await Promise.all(services.map((service) => engine.blobs.claimFor(service))));
    expect(owners.size).toBe(1);
    const [owner] = owners;
    expect(services).toContain(owner);
    expect(await engine.blobs.claimFor('late')).toBe(owner);
    expect(await engine.blobs.serviceId()).toBe(owner);
    await engine.blobs.markService('restored');
    expect(await engine.blobs.claimFor('late')).toBe('restored');
    expect(await listAll(engine.blobs)).toEqual([]);
  });

  test('the mark of a service is no blob', async () => {
    await using engine = await open();
    const id = newBlobId();
    await engine.blobs.write(id, inChunks(Buffer.from('hello'), 5));
    await engine.blobs.markService('a service');
    expect((await listAll(engine.blobs)).map((blob) => blob.id)).toEqual([id]);
    expect(await engine.blobs.sweepUnfinished({ dryRun: true })).toBe(0);
    expect(await engine.blobs.serviceId()).toBe('a service');
  });

  test('a reader of the mark sees one id or the other while it is replaced', async () => {
    await using engine = await open();
    await engine.blobs.markService('before');
    const seen: (string | null)[] = [];
    const marked = new AbortController();
    const mark = async () => {
      for (let times = 0; times < 50; times += 1) await engine.blobs.markService('after');
      marked.abort();
    };
    const look = async () => {
      while (!marked.signal.aborted) seen.push(await engine.blobs.serviceId());
    };
    await Promise.all([mark(), look(), look()]);
    for (const id of seen) expect(['before', 'after']).toContain(id);
  });
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function listAll(blobs: BlobStore, after?: BlobId): Promise<StoredBlob[]> {
  const listed: StoredBlob[] = [];
  for await (const blob of blobs.list(after)) listed.push(blob);
  return listed;
}

async function versionOf(blobs: BlobStore, id: BlobId): Promise<string> {
  await using reader = await blobs.open(id, 0, 0);
  return reader.version;
}

function inChunks(bytes: Buffer, size: number): ByteReader {
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
