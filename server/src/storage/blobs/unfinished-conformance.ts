import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type ByteReader, readerOf } from '../../lib/byte-reader.ts';
import { newBlobId } from './blob-id.ts';
import { BlobMissing, type BlobStore, type Unfinished } from './blobs.ts';
import { type BlobEngine, readAll } from './conformance.ts';

export interface SharedEngine extends BlobEngine {
  /** As another process has it open. */
  readonly openAgain: () => Promise<BlobStore>;
}

/** Tests the promises of `UnfinishedBlobs`. */
export function unfinishedConformance(open: () => Promise<SharedEngine>): void {
  const sizes = [1, 100_000, 5 * 1024 * 1024, 20_000_001];

  test.each(sizes)('%i bytes that arrive in three pieces are a blob in the end', async (size) => {
    await using engine = await open();
    const bytes = randomBytes(size);
    const upload = await begin(engine.blobs, size);
    for (const end of [Math.floor(size / 3), Math.floor(size / 2), size])
      await upload.append(engine.blobs, bytes.subarray(upload.state.size, end));
    await expectBlob(engine, upload.state, bytes);
  });

  test.each(sizes)('%i bytes go on in another process, and it may finish twice', async (size) => {
    await using engine = await open();
    await using other = await engine.openAgain();
    const bytes = randomBytes(size);
    const upload = await begin(engine.blobs, size);
    const [first, second] = [Math.floor(size / 3), Math.floor(size / 2)];
    await upload.append(engine.blobs, bytes.subarray(0, first));
    await upload.append(other, bytes.subarray(first, second));
    await upload.append(engine.blobs, bytes.subarray(second));
    await other.unfinished.finish(upload.state);
    await expectBlob(engine, upload.state, bytes);
  });

  test.each([100, 100_000, 20_000_001])('what came before a source failed after %i bytes is kept', async (size) => {
    await using engine = await open();
    const bytes = randomBytes(2 * size);
    const upload = await begin(engine.blobs, bytes.length);
    const broken = new Error('the client went away');
    await expect(upload.append(engine.blobs, bytes.subarray(0, size), broken)).rejects.toBe(broken);
    expect(upload.state.size).toBe(size);
    await upload.append(engine.blobs, bytes.subarray(size));
    await expectBlob(engine, upload.state, bytes);
  });

  test('a long piece is stored bit by bit', async () => {
    await using engine = await open();
    const upload = await begin(engine.blobs, 40_000_000);
    await upload.append(engine.blobs, randomBytes(40_000_000));
    expect(upload.sizes.length).toBeGreaterThan(2);
    expect(upload.sizes).toEqual(upload.sizes.toSorted((a, b) => a - b));
    expect(upload.sizes.at(-1)).toBe(40_000_000);
  });

  test.each([1_000, 9_000_000])(
    'of two processes that append %i bytes the one whose state is kept wins',
    async (size) => {
      await using engine = await open();
      await using other = await engine.openAgain();
      const [start, mine, theirs] = [randomBytes(size), randomBytes(size), randomBytes(size)];
      const upload = await begin(engine.blobs, 2 * size);
      await upload.append(engine.blobs, start);
      const before = upload.state;
      const [begun, others, lost] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), new Error('lost')];
      const late = async function* () {
        begun.resolve();
        await others.promise;
        yield mine;
      };
      const losing = engine.blobs.unfinished.append(before, readerOf(late()), () => Promise.reject(lost));
      await begun.promise;
      await upload.append(other, theirs);
      others.resolve();
      await expect(losing).rejects.toBe(lost);
      // On an object store, the loser may have replaced a part: then the upload is lost, and never mixed.
      try {
        await expectBlob(engine, upload.state, Buffer.concat([start, theirs]));
      } catch (error) {
        expect(error).toBeInstanceOf(BlobMissing);
        expect(await engine.blobs.size(upload.state.id).catch(() => null)).toBeNull();
      }
    },
  );

  test('while an earlier state must stay, it can go on with other bytes', async () => {
    await using engine = await open();
    const bytes = randomBytes(25_000_000);
    const upload = await begin(engine.blobs, bytes.length);
    await upload.append(engine.blobs, bytes.subarray(0, 1_000_000));
    const wrong = readerOf([randomBytes(24_000_000)]);
    await engine.blobs.unfinished.append(upload.state, wrong, async () => false);
    await upload.append(engine.blobs, bytes.subarray(1_000_000));
    expect(await engine.blobs.unfinished.finish(upload.state)).toMatchObject({ size: bytes.length });
    expect((await readAll(engine.blobs, upload.state.id, 0, bytes.length - 1)).equals(bytes)).toBe(true);
  });

  test('what is discarded leaves nothing, at any time', async () => {
    await using engine = await open();
    for (const length of [0, 1_000, 9_000_000]) {
      const upload = await begin(engine.blobs, 10_000_000);
      await upload.append(engine.blobs, randomBytes(length));
      await engine.blobs.unfinished.discard(upload.state);
      expect(await engine.stored()).toEqual([]);
      if (length > 0) await expect(upload.append(engine.blobs, randomBytes(1))).rejects.toThrow();
      await engine.blobs.unfinished.discard(upload.state);
    }
  });

  test('sweeps remove what nobody keeps', async () => {
    await using engine = await open();
    const [kept, left] = [await begin(engine.blobs, 10_000_000), await begin(engine.blobs, 10_000_000)];
    for (const upload of [kept, left]) await upload.append(engine.blobs, randomBytes(9_000_000));
    const inAnHour = Date.now() + 3_600_000;
    await engine.blobs.sweepUnfinished(inAnHour, async (id) => id === kept.state.id);
    for (const upload of [kept, left]) await upload.append(engine.blobs, randomBytes(1_000_000)).catch(() => {});
    await engine.blobs.unfinished.finish(kept.state);
    await expect(engine.blobs.unfinished.finish({ ...left.state, size: 10_000_000 })).rejects.toBeInstanceOf(
      BlobMissing,
    );
    expect(await engine.blobs.size(kept.state.id)).toBe(10_000_000);
  });
}

async function begin(blobs: BlobStore, total: number) {
  const id = newBlobId();
  let state: Unfinished = { id, place: await blobs.unfinished.begin(id), size: 0, total };
  const sizes: number[] = [];
  return {
    sizes,
    get state() {
      return state;
    },
    append: (by: BlobStore, bytes: Buffer, failure?: Error) =>
      by.unfinished.append(state, piecesOf(bytes, failure), async (next) => {
        state = next;
        sizes.push(next.size);
        return true;
      }),
  };
}

function piecesOf(bytes: Buffer, failure?: Error): ByteReader {
  return readerOf(
    (async function* () {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
      if (failure) throw failure;
    })(),
  );
}

async function expectBlob(engine: BlobEngine, state: Unfinished, bytes: Buffer): Promise<void> {
  expect(state.size).toBe(bytes.length);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  for (let times = 0; times < 2; times += 1)
    expect(await engine.blobs.unfinished.finish(state)).toEqual({ size: bytes.length, sha256 });
  expect((await readAll(engine.blobs, state.id, 0, bytes.length - 1)).equals(bytes)).toBe(true);
  expect(await engine.stored()).toEqual([state.id]);
}
