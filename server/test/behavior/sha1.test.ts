import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { QueueFull } from '../../src/lib/semaphore.ts';
import { newBlobId } from '../../src/storage/blobs/blob-id.ts';
import type { BlobReader } from '../../src/storage/blobs/blobs.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { sha1, uploadFile } from '../harness/uploads.ts';
import { flipByte, onlyStored } from '../harness/stored-bytes.ts';
import { test } from '../harness/server-test.ts';

const sha1At = (server: TestServer, target: string) => call(server, `/file/${target}.sha1`);
const storedSha1 = async ({ context: { db } }: TestServer) =>
  (await db.selectFrom('blobs').select('sha1').executeTakeFirstOrThrow()).sha1;

/** Lets no blob be opened before `release`, and counts. */
function holdBlobs({ context: { blobs } }: TestServer) {
  const released = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const held = { opened: 0, release: released.resolve, reached: reached.promise };
  const open = blobs.open.bind(blobs);
  blobs.open = async (...wanted): Promise<BlobReader> => {
    held.opened += 1;
    reached.resolve();
    await released.promise;
    return open(...wanted);
  };
  return held;
}

test('the SHA-1 of a file is at .sha1, after its name and after its extension', async ({ server }) => {
  const account = await signUpAndIn(server, { plan: 'starter' });
  const named = await uploadFile(server, account, 'hello', 'a.txt');
  const plain = await uploadFile(server, account, '', 'README');
  for (const rest of [`${named}.sha1`, `${named}.SHA1`, `${named}.txt.sha1`, `${named}.TXT.Sha1`]) {
    const answer = await call(server, `/file/${rest}`);
    expect(answer, rest).toMatchObject({ status: 200, text: sha1('hello') });
    expect(answer.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('Content-Length')).toBe('40');
    expect(answer.headers.get('Cache-Control')).toBe('public, no-cache');
  }
  expect(await sha1At(server, plain)).toMatchObject({ status: 200, text: sha1('') });
  for (const rest of [
    `${named}.zip.sha1`,
    `${named}.sha1.sha1`,
    `${named}.sha1.txt`,
    `${named}.sha256.sha1`,
    'nosuchfile.sha1',
  ])
    expect((await call(server, `/file/${rest}`)).status, rest).toBe(404);
});

test.each([0, 3_500_001])(
  'the SHA-1 of %i bytes is computed from the stored bytes once, and then known',
  async (size) => {
    await using server = await startServer();
    const bytes = new Uint8Array(randomBytes(size));
    const name = await uploadFile(server, await signUpAndIn(server), bytes, 'a.zip');
    expect(await storedSha1(server)).toBeNull();
    expect((await sha1At(server, name)).text).toBe(sha1(bytes));
    expect(await storedSha1(server)).toBe(sha1(bytes));
    await (await onlyStored(server)).remove();
    expect(await sha1At(server, name)).toMatchObject({ status: 200, text: sha1(bytes) });
  },
);

test('requests for one SHA-1 that come together compute it once', async ({ server, account }) => {
  const names = [await uploadFile(server, account), await uploadFile(server, account)];
  const held = holdBlobs(server);
  const answers = Array.from({ length: 20 }, (_, at) => sha1At(server, names[at % 2] ?? ''));
  await held.reached;
  // Another request is answered meanwhile.
  expect((await call(server, `/file/${names[0]}.sha256`)).status).toBe(200);
  held.release();
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ status: 200, text: sha1('hello') });
  expect(held.opened).toBe(1);
});

test('damaged bytes have no SHA-1', async ({ server, account }) => {
  const bytes = new Uint8Array(randomBytes(1_000));
  const name = await uploadFile(server, account, bytes);
  await flipByte(await onlyStored(server));
  for (const method of ['GET', 'HEAD'])
    expect((await call(server, `/file/${name}.sha1`, { method })).status, method).toBe(500);
  expect(server.log.filter((line) => line.includes('ALARM'))).toHaveLength(2);
  expect(await storedSha1(server)).toBeNull();
});

test('while many others wait for theirs, a SHA-1 is 503 with the time of the next try', async ({ server }) => {
  const name = await uploadFile(server, await signUpAndIn(server));
  const held = holdBlobs(server);
  const { sha1: digests } = server.context.blobs;
  // Four are computed and 64 wait, so one of these is refused as soon as the queue is full.
  const others = Array.from({ length: 69 }, () => digests.of({ blobId: newBlobId(), size: 1, sha256: '' }));
  const settled = Promise.allSettled(others);
  await expect(Promise.race(others)).rejects.toThrow(QueueFull);
  const refused = await sha1At(server, name);
  expect(refused).toMatchObject({ status: 503, text: expect.stringContaining('being computed') });
  expect(refused.headers.get('Retry-After')).toBe('10');
  held.release();
  await settled;
  expect(await sha1At(server, name)).toMatchObject({ status: 200 });
});
