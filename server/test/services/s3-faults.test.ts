/** The S3 engine while Ceph's radosgw is away, fails or is not there at all. */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BlobMissing, BlobsUnavailable } from '../../src/storage/blobs/blobs.ts';
import { newBlobId } from '../../src/storage/blobs/blob-id.ts';
import { readAll } from '../../src/storage/blobs/conformance.ts';
import { hours } from '../../src/lib/clock.ts';
import { readerOf } from '../../src/lib/byte-reader.ts';
import { bucket, client, openEngine, partsOf, rgw, sha256 } from './s3-engine.ts';
import { startTamperingStore } from './tampering-store.ts';

const timed = async (run: Promise<unknown>) => {
  const started = performance.now();
  const end = await run.then(
    () => 'resolved' as const,
    (error: unknown) => error,
  );
  return { end, ms: performance.now() - started };
};

describe('a store that is away', () => {
  test.each(['stopped', 'hung'] as const)(
    '%s: each call is refused within a second, until it is back',
    async (how) => {
      await using engine = await openEngine();
      const [id, bytes] = [newBlobId(), randomBytes(100_000)];
      await engine.blobs.write(id, readerOf([bytes]));
      if (how === 'stopped') await rgw.stop();
      else rgw.freeze();
      try {
        for (let times = 0; times < 3; times += 1)
          for (const run of [
            () => engine.blobs.open(id, 0, 9),
            () => engine.blobs.size(id),
            () => engine.blobs.write(newBlobId(), readerOf([bytes])),
            () => engine.blobs.probe(),
          ]) {
            const { end, ms } = await timed(run());
            expect(end).toBeInstanceOf(BlobsUnavailable);
            expect(ms).toBeLessThan(2_000);
          }
      } finally {
        if (how === 'stopped') await rgw.start();
        else rgw.thaw();
      }
      await expect
        .poll(
          () =>
            readAll(engine.blobs, id, 0, 99_999).then(
              (read) => read.equals(bytes),
              () => false,
            ),
          { timeout: 15_000 },
        )
        .toBe(true);
      expect(engine.logged.filter((line) => line.includes('does not respond; requests are refused'))).toHaveLength(1);
      expect(engine.logged.filter((line) => line.includes('responds again'))).toHaveLength(1);
    },
    120_000,
  );
});

describe('a store that fails', () => {
  const bytes = randomBytes(3_000_000);

  test('in the middle of a response: the rest is requested again, and a client gets every byte once', async () => {
    await using store = await startTamperingStore(rgw.endpoint);
    await using engine = await openEngine({ endpoint: store.endpoint });
    const id = newBlobId();
    await engine.blobs.write(id, readerOf([bytes]));
    let cuts = 0;
    store.treat((asked) =>
      asked.startsWith('GET') && asked.includes(id) && (cuts += 1) <= 2 ? { cutAfter: 700_000 } : 'pass',
    );
    expect((await readAll(engine.blobs, id, 0, bytes.length - 1)).equals(bytes)).toBe(true);
    expect(cuts).toBe(3);
  });

  test('again and again in the middle of a response: the read fails instead of looking whole', async () => {
    await using store = await startTamperingStore(rgw.endpoint);
    await using engine = await openEngine({ endpoint: store.endpoint });
    const id = newBlobId();
    await engine.blobs.write(id, readerOf([bytes]));
    store.treat((asked) => (asked.startsWith('GET') && asked.includes(id) ? { cutAfter: 0 } : 'pass'));
    await expect(readAll(engine.blobs, id, 0, bytes.length - 1)).rejects.toThrow();
  });

  test('for a read that another object has replaced: it never mixes both', async () => {
    await using store = await startTamperingStore(rgw.endpoint);
    await using engine = await openEngine({ endpoint: store.endpoint });
    const id = newBlobId();
    await engine.blobs.write(id, readerOf([bytes]));
    await using reader = await engine.blobs.open(id, 0, bytes.length - 1);
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: engine.keyOf(id), Body: randomBytes(bytes.length) }));
    const read: Buffer[] = [];
    const into = Buffer.alloc(100_000);
    const all = (async () => {
      for (let count; (count = await reader.read(into)) > 0;) read.push(Buffer.from(into.subarray(0, count)));
    })();
    await all.catch((error: unknown) => expect(error).toBeInstanceOf(BlobMissing));
    const got = Buffer.concat(read);
    expect(got.equals(bytes.subarray(0, got.length))).toBe(true);
  });

  test('with 500 or 503 for a while: parts are sent again, and nothing is lost', async () => {
    await using store = await startTamperingStore(rgw.endpoint);
    await using engine = await openEngine({ endpoint: store.endpoint });
    const [id, large] = [newBlobId(), randomBytes(20_000_000)];
    let failures = 0;
    store.treat((asked) =>
      asked.startsWith('PUT') && asked.includes('partNumber=2') && (failures += 1) <= 3
        ? { status: failures === 2 ? 503 : 500, body: '<Error><Code>InternalError</Code></Error>' }
        : 'pass',
    );
    expect(await engine.blobs.write(id, readerOf([large]))).toEqual({ size: large.length, sha256: sha256(large) });
    expect((await readAll(engine.blobs, id, 0, large.length - 1)).equals(large)).toBe(true);
  });

  test('while a client goes away: its parts are swept when the store is back', async () => {
    await using store = await startTamperingStore(rgw.endpoint);
    await using engine = await openEngine({ endpoint: store.endpoint });
    const source = readerOf(
      (async function* () {
        yield randomBytes(9_000_000);
        await expect.poll(() => partsOf(engine), { timeout: 20_000 }).toBe(1);
        store.treat(() => ({ status: 503, body: '<Error><Code>SlowDown</Code></Error>' }));
        throw new Error('the client went away');
      })(),
    );
    await expect(engine.blobs.write(newBlobId(), source)).rejects.toThrow('went away');
    store.treat(() => 'pass');
    expect(await partsOf(engine)).toBe(1);
    const later = await engine.sweptAfter(-hours(1));
    await expect.poll(() => later.sweepUnfinished({ dryRun: false }).catch(() => 0)).toBe(1);
    expect(await partsOf(engine)).toBe(0);
  });

  test('because it has no multipart uploads: a large write is refused and leaves nothing, a small one is stored', async () => {
    await using store = await startTamperingStore(rgw.endpoint);
    await using engine = await openEngine({ endpoint: store.endpoint });
    store.treat((asked) =>
      /[?&]uploads/.test(asked) ? { status: 501, body: '<Error><Code>NotImplemented</Code></Error>' } : 'pass',
    );
    await expect(engine.blobs.write(newBlobId(), readerOf([randomBytes(9_000_000)]))).rejects.toBeInstanceOf(
      BlobsUnavailable,
    );
    expect(await engine.stored()).toEqual([]);
    await engine.blobs.write(newBlobId(), readerOf([bytes]));
  });

  test('by being slow: it is refused at first, and then has the time that it needs', async () => {
    await using store = await startTamperingStore(rgw.endpoint);
    await using engine = await openEngine({ endpoint: store.endpoint });
    const id = newBlobId();
    await engine.blobs.write(id, readerOf([bytes]));
    store.treat(() => ({ delayMs: 1_500 }));
    await expect
      .poll(() => engine.blobs.size(id).catch(() => null), { timeout: 20_000, interval: 200 })
      .toBe(bytes.length);
    for (let times = 0; times < 3; times += 1) expect(await engine.blobs.size(id)).toBe(bytes.length);
  }, 60_000);
});

describe('at the start, one sentence says within ten seconds what is wrong:', () => {
  const start = async (place: { bucket?: string; endpoint?: string }) => {
    await using engine = await openEngine(place);
    return engine;
  };

  test.each([
    ['a bucket that does not exist', { bucket: 'holdfast-nowhere' }, /^there is no bucket 'holdfast-nowhere' at http:/],
    [
      'nothing there',
      { endpoint: 'http://127.0.0.1:9' },
      /^the S3 store at http:\/\/127\.0\.0\.1:9 does not respond: /,
    ],
    [
      'another host',
      { endpoint: 'http://no-such-host.invalid' },
      /^the S3 store at http:\/\/no-such-host\.invalid does not respond: /,
    ],
  ])('%s', async (_what, place, says) => {
    const { end, ms } = await timed(start(place));
    expect((end as Error).message).toMatch(says);
    expect(ms).toBeLessThan(10_000);
  });

  test('wrong credentials', async () => {
    const secret = process.env['AWS_SECRET_ACCESS_KEY'];
    process.env['AWS_SECRET_ACCESS_KEY'] = 'another-secret';
    try {
      const { end } = await timed(start({}));
      expect((end as Error).message).toMatch(
        /refuses these credentials for the bucket 'holdfast' \(SignatureDoesNotMatch\)$/,
      );
    } finally {
      process.env['AWS_SECRET_ACCESS_KEY'] = secret;
    }
  });

  test('no credentials', async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
    delete process.env['AWS_ACCESS_KEY_ID'];
    delete process.env['AWS_SECRET_ACCESS_KEY'];
    try {
      const { end, ms } = await timed(start({}));
      expect((end as Error).message).toMatch(
        /^there are no credentials for the S3 store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
      );
      expect(ms).toBeLessThan(10_000);
    } finally {
      Object.assign(process.env, { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
    }
  });

  test('a store that hangs', async () => {
    rgw.freeze();
    try {
      const { end, ms } = await timed(start({}));
      expect((end as Error).message).toMatch(/^the S3 store at .+ does not respond: /);
      expect(ms).toBeLessThan(10_000);
    } finally {
      rgw.thaw();
    }
  });
});
