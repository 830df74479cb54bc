import { expect } from 'vitest';
import { readerOf } from '../../src/lib/byte-reader.ts';
import { newBlobId } from '../../src/storage/blobs/blob-id.ts';
import type { BlobId } from '../../src/storage/blobs/blobs.ts';
import { days } from '../../src/lib/clock.ts';
import { DeletionLimitExceeded } from '../../src/jobs/deletion-limit.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { type TestServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';
import { ageBytes, storedNames } from '../harness/stored-bytes.ts';
import { test } from '../harness/server-test.ts';

/** Stores bytes without rows, as a process killed between the two leaves them. */
async function leaveStrays(server: TestServer, count: number): Promise<BlobId[]> {
  const ids = Array.from({ length: count }, newBlobId);
  await Promise.all(ids.map((id) => server.context.blobs.write(id, readerOf([Buffer.from('stray')]))));
  return ids;
}

const filesOf = async (server: TestServer, count: number) => {
  const ada = await signUpAndIn(server, { plan: 'power' });
  const names: string[] = [];
  for (let at = 0; at < count; at += 1) names.push(await uploadFile(server, ada, `file ${at}`));
  return names;
};

test('bytes without a row are deleted after a week, and no other bytes are', async ({ server }) => {
  const [name] = await filesOf(server, 1);
  await leaveStrays(server, 2);
  await ageBytes(server, days(7) - 60_000);
  expect(await server.runJob('sweep-strays')).toEqual({ strays: 0, bytes: 0 });
  await ageBytes(server, 120_000);
  const [young] = await leaveStrays(server, 1);
  expect(await server.runJob('sweep-strays', { dryRun: true })).toEqual({ strays: 2, bytes: 10 });
  expect(await storedNames(server)).toHaveLength(4);
  expect(await server.runJob('sweep-strays')).toEqual({ strays: 2, bytes: 10 });
  expect(await server.runJob('sweep-strays')).toEqual({ strays: 0, bytes: 0 });
  expect(await storedNames(server)).toHaveLength(2);
  expect(await storedNames(server)).toContain(young);
  expect(await (await fetch(fileUrl(server, name ?? ''))).text()).toBe('file 0');
});

test('files in the temp area are not strays', async ({ server }) => {
  const seen = Promise.withResolvers<unknown>();
  async function* slow() {
    yield Buffer.from('half');
    await ageBytes(server, 0).catch(() => {});
    server.clock.advance(days(8));
    seen.resolve(await server.runJob('sweep-strays'));
  }
  await server.context.blobs.write(newBlobId(), readerOf(slow()));
  expect(await seen.promise).toEqual({ strays: 0, bytes: 0 });
});

test('a sweep with a database that knows none of the bytes is refused', async ({ server }) => {
  await leaveStrays(server, 11);
  await ageBytes(server, days(8));
  await expect(server.runJob('sweep-strays')).rejects.toBeInstanceOf(DeletionLimitExceeded);
  expect(await storedNames(server)).toHaveLength(11);
  await expect(server.runJob('sweep-strays', { dryRun: true })).rejects.toBeInstanceOf(DeletionLimitExceeded);
  expect(await server.runJob('sweep-strays', { allowed: 11 })).toMatchObject({ strays: 11 });
});

test('the limit is a share of a large storage', async ({ server }) => {
  const [stored, strays] = [20_000, 1_001];
  const now = server.clock.now();
  async function* list() {
    for (let at = 0; at < stored; at += 1) {
      const id = at.toString(16).padStart(32, '0') as BlobId;
      yield { id, size: 1, storedAt: now - days(at < strays ? 8 : 1) };
    }
  }
  const removed: BlobId[] = [];
  Object.assign(server.context.blobs, { list, remove: async (...ids: BlobId[]) => void removed.push(...ids) });
  // More than a run may delete, and more than one in twenty.
  await expect(server.runJob('sweep-strays')).rejects.toThrow(`It would delete ${strays} of ${stored}`);
  expect(removed).toEqual([]);
});
