import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashWhileStoring } from './hash-while-storing.ts';
import { slabBytes } from './slabs.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Chunks with their own memory, as a socket produces them. */
async function* inChunks(bytes: Buffer, size = 65_536) {
  for (let at = 0; at < bytes.length; at += size)
    yield Buffer.from(Uint8Array.from(bytes.subarray(at, at + size)).buffer);
}

/** Stores as an engine does: it copies a slab, takes a while, and only then requests the next. */
async function store(source: AsyncIterable<Buffer>) {
  const stored: Buffer[] = [];
  let digest: string | null = null;
  for await (const slab of hashWhileStoring(source, (sha) => (digest = sha))) {
    await new Promise(setImmediate);
    stored.push(Buffer.from(slab));
  }
  return { bytes: Buffer.concat(stored), digest };
}

const sizes = [0, 1, 65_536, slabBytes - 1, slabBytes, slabBytes + 1, 3 * slabBytes, 4 * slabBytes + 7, 9 * slabBytes];

test.each(sizes)('%i bytes are stored unchanged, with the right digest', async (size) => {
  const bytes = randomBytes(size);
  for (const chunk of [40_000, 65_536, 3_000_000]) {
    const result = await store(inChunks(bytes, chunk));
    expect(result.bytes.equals(bytes), `chunks of ${chunk}`).toBe(true);
    expect(result.digest, `chunks of ${chunk}`).toBe(sha256(bytes));
  }
});

test('concurrent uploads do not mix', async () => {
  const files = Array.from({ length: 30 }, (_, index) => randomBytes(index * 123_457));
  const results = await Promise.all(files.map((bytes) => store(inChunks(bytes))));
  for (const [index, { bytes, digest }] of results.entries()) {
    expect(bytes.equals(files[index] ?? Buffer.alloc(0))).toBe(true);
    expect(digest).toBe(sha256(bytes));
  }
});

test('the source is read while a slab is stored', async () => {
  const readOn = Promise.withResolvers<string>();
  async function* source() {
    yield* inChunks(randomBytes(slabBytes));
    readOn.resolve('the second slab is filling');
    yield* inChunks(randomBytes(slabBytes));
  }
  for await (const _ of hashWhileStoring(source(), () => {}))
    expect(await readOn.promise).toBe('the second slab is filling');
});

test('a failing source fails the store, and no digest is reported', async () => {
  const broken = new Error('the client went away');
  async function* source() {
    yield* inChunks(randomBytes(2 * slabBytes + 5));
    throw broken;
  }
  const digests: string[] = [];
  const storing = async () => {
    for await (const _ of hashWhileStoring(source(), (sha) => digests.push(sha)));
  };
  await expect(storing()).rejects.toBe(broken);
  expect(digests).toEqual([]);
});

test('uploads whose storing fails end their source and return their memory', async () => {
  let open = 0;
  async function* source() {
    open += 1;
    try {
      for (;;) yield Buffer.from(new ArrayBuffer(65_536));
    } finally {
      open -= 1;
    }
  }
  let largest = 0;
  for (let round = 0; round < 20; round += 1) {
    const full = new Error('the disk is full');
    const storing = async () => {
      for await (const slab of hashWhileStoring(source(), () => {})) {
        largest = slab.length;
        throw full;
      }
    };
    await expect(storing()).rejects.toBe(full);
    await expect.poll(() => open).toBe(0);
  }
  expect(largest).toBe(slabBytes);
});
