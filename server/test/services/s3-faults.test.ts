/** The S3 engine while Ceph's radosgw is away, fails or is not there at all. */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type BlobId, BlobMissing, BlobsUnavailable } from '../../src/storage/blobs/blobs.ts';
import { newBlobId } from '../../src/storage/blobs/blob-id.ts';
import { readAll } from '../../src/storage/blobs/conformance.ts';
import { readerOf } from '../../src/lib/byte-reader.ts';
import { seconds } from '../../src/lib/clock.ts';
import { bucket, client, openEngine, partsOf, rgw, sha256, type TestEngine } from './s3-engine.ts';
import { startTamperingStore } from './tampering-store.ts';

const bytes = randomBytes(3_000_000);
const last = bytes.length - 1;

async function writeTo({ blobs }: TestEngine): Promise<BlobId> {
  const id = newBlobId();
  await blobs.write(id, readerOf([bytes]));
  return id;
}

test.each(['stopped', 'hung'] as const)(
  'while the store is %s, calls are refused, and they work again after',
  async (how) => {
    await using engine = await openEngine();
    const id = await writeTo(engine);
    if (how === 'stopped') await rgw.stop();
    else await rgw.freeze();
    const calls = [
      engine.blobs.write(newBlobId(), readerOf([bytes])),
      engine.blobs.write(newBlobId(), readerOf([randomBytes(9_000_000)])),
      engine.blobs.open(id, 0, 9),
      engine.blobs.size(id),
      engine.blobs.remove(newBlobId()),
      engine.blobs.serviceId(),
      engine.blobs.probe(),
    ];
    const ends = await Promise.allSettled(calls);
    if (how === 'stopped') await rgw.start();
    else rgw.thaw();
    for (const end of ends) expect(end).toMatchObject({ reason: expect.any(BlobsUnavailable) });
    await expect.poll(() => engine.blobs.size(id).catch(() => null), { timeout: 15_000 }).toBe(bytes.length);
  },
);

async function openTampered() {
  await using opened = new AsyncDisposableStack();
  const store = opened.use(await startTamperingStore(rgw.endpoint));
  const engine = opened.use(await openEngine({ endpoint: store.endpoint }));
  const closing = opened.move();
  return { store, engine, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

describe('a store that hangs', () => {
  test('is only asked whether it is back, while every call is refused at once', async () => {
    await using tampered = await openTampered();
    const { store, engine } = tampered;
    const id = await writeTo(engine);
    store.treat(() => 'hang');
    await expect(engine.blobs.size(id)).rejects.toBeInstanceOf(BlobsUnavailable);
    const before = store.asked.length;
    await expect(engine.blobs.write(newBlobId(), readerOf([bytes]))).rejects.toBeInstanceOf(BlobsUnavailable);
    await expect(engine.blobs.open(id, 0, last)).rejects.toBeInstanceOf(BlobsUnavailable);
    expect(store.asked.slice(before).filter((asked) => asked !== `HEAD /${bucket}/`)).toEqual([]);
  });

  test('only for writes ends them alone: a small one in seconds, a part of a large one after half a minute', async () => {
    await using tampered = await openTampered();
    const { store, engine } = tampered;
    const id = await writeTo(engine);
    store.treat((asked) => (asked.startsWith('PUT') ? 'hang' : 'pass'));
    const small = engine.blobs.write(newBlobId(), readerOf([Buffer.from('hello')]));
    await expect(small).rejects.toBeInstanceOf(BlobsUnavailable);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const large = engine.blobs.write(newBlobId(), readerOf([randomBytes(20_000_000)]));
    large.catch(() => {});
    await vi.waitUntil(() => store.asked.some((asked) => asked.includes('partNumber=1')), { timeout: 60_000 });
    expect(await engine.blobs.size(id)).toBe(bytes.length);
    vi.advanceTimersByTime(seconds(30));
    await expect(large).rejects.toBeInstanceOf(BlobsUnavailable);
    expect(await partsOf(engine)).toBe(0);
  });

  test('lets go of an upload whose client has left', async () => {
    await using tampered = await openTampered();
    const { store, engine } = tampered;
    store.treat((asked) => (asked.startsWith('PUT') ? 'hang' : 'pass'));
    const gone = new AbortController();
    const left = new Error('left');
    const writing = engine.blobs.write(newBlobId(), readerOf([randomBytes(20_000_000)]), undefined, gone.signal);
    await expect.poll(() => store.asked.some((asked) => asked.includes('partNumber=1'))).toBe(true);
    gone.abort(left);
    await expect(writing).rejects.toBe(left);
    expect(await partsOf(engine)).toBe(0);
  });
});

test('a store that takes long for everything is used as it is', async () => {
  await using tampered = await openTampered();
  const { store, engine } = tampered;
  const id = await writeTo(engine);
  store.treat(() => ({ delayMs: 1_500 }));
  await expect.poll(() => engine.blobs.size(id).catch(() => null)).toBe(bytes.length);
  expect(await Promise.all([engine.blobs.size(id), engine.blobs.size(id)])).toEqual([bytes.length, bytes.length]);
});

describe('a store that fails', () => {
  test.each([
    ['twice', 2],
    ['again and again', Infinity],
  ])('%s in the middle of a response: a client gets every byte once, or an error', async (_how, most) => {
    await using tampered = await openTampered();
    const { store, engine } = tampered;
    const id = await writeTo(engine);
    let cuts = 0;
    store.treat((asked) =>
      asked.startsWith('GET') && asked.includes(id) && (cuts += 1) <= most
        ? { cutAfter: most === 2 ? 700_000 : 0 }
        : 'pass',
    );
    const reading = readAll(engine.blobs, id, 0, last);
    if (most === 2) expect((await reading).equals(bytes)).toBe(true);
    else await expect(reading).rejects.toBeInstanceOf(BlobsUnavailable);
    expect(cuts).toBe(most === 2 ? 3 : 4);
  });

  test.each([
    ['another range', 'bytes 5-2999999/3000000', 206, 0],
    ['everything instead of a range', undefined, 200, 7],
  ])('by sending %s: no wrong byte is read', async (_what, range, status, from) => {
    await using tampered = await openTampered();
    const { store, engine } = tampered;
    const id = await writeTo(engine);
    store.treat((asked) => (asked.startsWith('GET') ? { status, body: 'x'.repeat(100), range } : 'pass'));
    await expect(engine.blobs.open(id, from, last)).rejects.toBeInstanceOf(BlobsUnavailable);
  });

  test('for a read that another object has replaced: it never mixes both', async () => {
    await using tampered = await openTampered();
    const { store, engine } = tampered;
    const id = await writeTo(engine);
    store.treat((asked) => (asked.startsWith('GET') && asked.includes(id) ? { cutAfter: 700_000 } : 'pass'));
    await using reader = await engine.blobs.open(id, 0, last);
    store.treat(() => 'pass');
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: engine.keyOf(id), Body: randomBytes(bytes.length) }));
    const into = Buffer.alloc(100_000);
    const all = (async () => {
      for (let at = 0, count; (count = await reader.read(into)) > 0; at += count)
        expect(into.subarray(0, count).equals(bytes.subarray(at, at + count))).toBe(true);
    })();
    await expect(all).rejects.toBeInstanceOf(BlobMissing);
  });

  test('with 500 or 503 for a while: parts are sent again, and nothing is lost', async () => {
    await using tampered = await openTampered();
    const { store, engine } = tampered;
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

  test('because it has no multipart uploads: a large write is refused and leaves nothing, a small one is stored', async () => {
    await using tampered = await openTampered();
    const { store, engine } = tampered;
    store.treat((asked) =>
      /[?&]uploads/.test(asked) ? { status: 501, body: '<Error><Code>NotImplemented</Code></Error>' } : 'pass',
    );
    const large = readerOf([randomBytes(9_000_000)]);
    await expect(engine.blobs.write(newBlobId(), large)).rejects.toBeInstanceOf(BlobsUnavailable);
    expect(await engine.stored()).toEqual([]);
    await writeTo(engine);
  });
});

describe('at the start, one sentence says what is wrong:', () => {
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
  ])('%s', async (_what, place, says) => {
    await expect(start(place)).rejects.toThrow(says);
  });

  test.each([
    [
      'wrong credentials',
      { AWS_SECRET_ACCESS_KEY: 'another-secret' },
      /refuses these credentials for the bucket 'holdfast' \(SignatureDoesNotMatch\)$/,
    ],
    [
      'no credentials',
      { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined },
      /^there are no credentials for the S3 store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
    ],
  ])('%s', async (_what, settings, says) => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
    for (const [name, value] of Object.entries(settings))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    try {
      await expect(start({})).rejects.toThrow(says);
    } finally {
      Object.assign(process.env, { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
    }
  });

  test.each([
    [301, 'PermanentRedirect'],
    [400, 'AuthorizationHeaderMalformed'],
  ])('another region, to which the store responds with %i %s', async (status, code) => {
    await using store = await startTamperingStore(rgw.endpoint);
    store.treat(() => ({ status, body: `<Error><Code>${code}</Code></Error>` }));
    const says = new RegExp(
      `refuses the request \\(${code}\\), perhaps because the bucket 'holdfast' is in another region$`,
    );
    await expect(start({ endpoint: store.endpoint })).rejects.toThrow(says);
  });

  test('a store that hangs', async () => {
    await rgw.freeze();
    try {
      await expect(start({})).rejects.toThrow(/^the S3 store at .+ does not respond: /);
    } finally {
      rgw.thaw();
    }
  });
});
