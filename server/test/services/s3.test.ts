/** The S3 engine on Ceph's radosgw. */
import { CreateMultipartUploadCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { StorageFull } from '../../src/storage/blobs/blobs.ts';
import { newBlobId } from '../../src/storage/blobs/blob-id.ts';
import { blobConformance } from '../../src/storage/blobs/conformance.ts';
import { unfinishedConformance } from '../../src/storage/blobs/unfinished-conformance.ts';
import { hours } from '../../src/lib/clock.ts';
import { type ByteReader, readerOf } from '../../src/lib/byte-reader.ts';
import { bucket, client, openEngine, partsOf, rgw, smallBucket } from './s3-engine.ts';

describe('conformance', () => {
  blobConformance(openEngine);
  unfinishedConformance(openEngine);
});

/** Bytes that come until `last` resolves, and then end. */
function waiting(bytes: Buffer, last: Promise<unknown>): ByteReader {
  return readerOf(
    (async function* () {
      yield bytes;
      await last;
    })(),
  );
}

describe('a write', () => {
  test('that has not ended is swept once it is old enough', async () => {
    await using engine = await openEngine();
    const end = Promise.withResolvers<unknown>();
    const writing = engine.blobs.write(newBlobId(), waiting(randomBytes(9_000_000), end.promise));
    await expect.poll(() => partsOf(engine), { timeout: 20_000 }).toBe(1);
    const Key = `${engine.prefix}films/holiday.mp4`;
    await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
    expect(await engine.blobs.sweepUnfinished(Date.now() - hours(1))).toBe(0);
    expect(await engine.blobs.sweepUnfinished(Date.now() + hours(1))).toBe(1);
    // That of another program is left alone.
    expect([await partsOf(engine), await engine.stored()]).toEqual([1, []]);
    end.resolve(null);
    await expect(writing).rejects.toThrow();
  });

  test('that is too large for the store is refused as full, and leaves nothing', async () => {
    await rgw.admin(['quota', 'set', '--quota-scope=bucket', `--bucket=${smallBucket}`, '--max-size=10M']);
    await rgw.admin(['quota', 'enable', '--quota-scope=bucket', `--bucket=${smallBucket}`]);
    await using engine = await openEngine({ bucket: smallBucket });
    await engine.blobs.write(newBlobId(), readerOf([randomBytes(6_000_000)]));
    const before = await engine.stored();
    for (const size of [7_000_000, 30_000_000])
      await expect(engine.blobs.write(newBlobId(), readerOf([randomBytes(size)]))).rejects.toBeInstanceOf(StorageFull);
    expect(await engine.stored()).toEqual(before);
    await expect(engine.blobs.probe()).resolves.toBeUndefined();
  });
});

test('an object without a blob is listed, so that the sweep of strays finds it, and keys of others are not', async () => {
  await using engine = await openEngine();
  const id = newBlobId();
  await engine.blobs.write(id, readerOf([Buffer.from('hello')]));
  for (const key of [
    `${engine.prefix}blobs/notes.txt`,
    `${engine.prefix}other/${newBlobId()}`,
    `${engine.prefix}photo.jpg`,
  ])
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'x' }));
  const listed: string[] = [];
  for await (const blob of engine.blobs.list()) listed.push(blob.id);
  expect(listed).toEqual([id]);
});

test('a list of more than a thousand objects has all of them', async () => {
  await using engine = await openEngine();
  const ids = Array.from({ length: 1_100 }, newBlobId).toSorted();
  for (let from = 0; from < ids.length; from += 50)
    await Promise.all(
      ids
        .slice(from, from + 50)
        .map((id) => client.send(new PutObjectCommand({ Bucket: bucket, Key: engine.keyOf(id), Body: 'x' }))),
    );
  const listed: string[] = [];
  for await (const blob of engine.blobs.list()) listed.push(blob.id);
  expect(listed).toEqual(ids);
  await engine.blobs.remove(...ids.slice(0, 1_000));
  await engine.blobs.remove(...ids.slice(1_000));
  expect(await engine.stored()).toEqual([]);
});
