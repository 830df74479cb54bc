import { expect, test } from 'vitest';
import { type ByteReader, readerOf } from '../../src/lib/byte-reader.ts';
import { newBlobId } from '../../src/engines/blobs/blob-id.ts';
import type { BlobId } from '../../src/engines/blobs/blobs.ts';
import { days, hours } from '../../src/lib/clock.ts';
import { DeletionLimitExceeded } from '../../src/maintenance/deletion-limit.ts';
import { openProcessNote } from '../../src/maintenance/processes.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';
import { ageBytes, storedNames } from '../harness/stored-bytes.ts';

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

test('bytes without a row are deleted after two days, and no other bytes are', async () => {
  await using server = await startServer();
  const [name] = await filesOf(server, 1);
  await leaveStrays(server, 2);
  await ageBytes(server, hours(24) - 60_000);
  expect(await server.runJob('sweep-strays')).toEqual({ strays: 0, bytes: 0 });
  await ageBytes(server, 120_000);
  const [young] = await leaveStrays(server, 1);
  expect(await server.runJob('sweep-strays', { dryRun: true })).toEqual({ strays: 2, bytes: 10 });
  expect(await server.context.db.selectFrom('blobs').selectAll().execute()).toHaveLength(1);
  expect(await server.runJob('sweep-strays')).toEqual({ strays: 2, bytes: 10 });
  expect(await server.runJob('sweep-strays')).toEqual({ strays: 0, bytes: 0 });
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0 });
  server.clock.advance(hours(24) - 60_000);
  expect(await server.runJob('purge')).toMatchObject({ blobs: 0 });
  server.clock.advance(60_000);
  expect(await server.runJob('purge')).toMatchObject({ blobs: 2, bytes: 10 });
  expect(await storedNames(server)).toHaveLength(2);
  expect(await storedNames(server)).toContain(young);
  expect(await (await fetch(fileUrl(server, name ?? ''))).text()).toBe('file 0');
});

test('files in the temp area are not strays', async () => {
  await using server = await startServer();
  const seen = Promise.withResolvers<unknown>();
  async function* slow() {
    yield Buffer.from('half');
    await ageBytes(server, 0).catch(() => {});
    server.clock.advance(hours(48));
    seen.resolve(await server.runJob('sweep-strays'));
  }
  await server.context.blobs.write(newBlobId(), readerOf(slow()));
  expect(await seen.promise).toEqual({ strays: 0, bytes: 0 });
});

test('an upload whose bytes were swept before its commit is refused and leaves nothing', async () => {
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  const { db, blobs } = server.context;
  const write = blobs.write.bind(blobs);
  Object.assign(blobs, {
    async write(id: BlobId, source: ByteReader) {
      const written = await write(id, source);
      // A clock that jumps makes new bytes look old.
      server.clock.advance(hours(48));
      await server.runJob('sweep-strays');
      return written;
    },
  });
  await expect(uploadFile(server, ada, 'too late')).rejects.toThrow('Something went wrong');
  expect(await db.selectFrom('files').selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('accounts').select(['space_used', 'slots_used']).execute()).toEqual([
    { space_used: 0, slots_used: 0 },
  ]);
  server.clock.advance(hours(24));
  await server.runJob('purge');
  expect(await db.selectFrom('blobs').selectAll().execute()).toEqual([]);
  expect(await storedNames(server)).toEqual([]);
});

test('a sweep with a database that knows none of the bytes is refused', async () => {
  await using server = await startServer();
  await leaveStrays(server, 11);
  await ageBytes(server, hours(25));
  await expect(server.runJob('sweep-strays')).rejects.toBeInstanceOf(DeletionLimitExceeded);
  expect(await server.context.db.selectFrom('blobs').selectAll().execute()).toEqual([]);
  await expect(server.runJob('sweep-strays', { dryRun: true })).rejects.toBeInstanceOf(DeletionLimitExceeded);
  expect(await server.runJob('sweep-strays', { allowed: 11 })).toMatchObject({ strays: 11 });
});

test('the limit holds for a storage of two million blobs', async () => {
  await using server = await startServer();
  const [stored, strays] = [2_000_000, 150_000];
  const now = server.clock.now();
  async function* list() {
    for (let at = 0; at < stored; at += 1) {
      const id = at.toString(16).padStart(32, '0') as BlobId;
      yield { id, size: 1, storedAt: now - hours(at < strays ? 48 : 1) };
    }
  }
  Object.assign(server.context.blobs, { list });
  // More than a run may delete, and more than one in twenty.
  await expect(server.runJob('sweep-strays')).rejects.toMatchObject({ deletions: strays, outOf: stored });
  expect(await server.context.db.selectFrom('blobs').selectAll().execute()).toEqual([]);
});

test('600 strays are found in several batches', async () => {
  await using server = await startServer();
  await leaveStrays(server, 600);
  await ageBytes(server, hours(25));
  expect(await server.runJob('sweep-strays', { allowed: 600 })).toMatchObject({ strays: 600 });
  server.clock.advance(hours(24));
  expect(await server.runJob('purge')).toMatchObject({ blobs: 600 });
  expect(await storedNames(server)).toEqual([]);
});

test('strays from a time when processes were killed are deleted without an alarm, others are not', async () => {
  await using server = await startServer();
  const { context, clock } = server;
  await leaveStrays(server, 40);
  await openProcessNote(context).renew();
  await ageBytes(server, hours(25));
  await expect(server.runJob('sweep-strays')).rejects.toBeInstanceOf(DeletionLimitExceeded);
  // The process was killed when the bytes were stored.
  await context.db
    .updateTable('processes')
    .set({ seen_at: clock.now() - hours(25) })
    .execute();
  expect(await server.runJob('sweep-strays', { dryRun: true })).toMatchObject({ strays: 40 });
  await leaveStrays(server, 11);
  await ageBytes(server, hours(30));
  await expect(server.runJob('sweep-strays')).rejects.toBeInstanceOf(DeletionLimitExceeded);
  await context.db
    .updateTable('processes')
    .set({ seen_at: clock.now() - hours(55) })
    .execute();
  await expect(server.runJob('sweep-strays')).rejects.toMatchObject({ deletions: 11, outOf: 51 });
  expect(await server.runJob('sweep-strays', { allowed: 11 })).toMatchObject({ strays: 51 });
});

test('a process that ends in order explains no strays', async () => {
  await using server = await startServer();
  const note = openProcessNote(server.context);
  await note.renew();
  await note.end();
  expect(await server.context.db.selectFrom('processes').selectAll().execute()).toEqual([]);
});

test('a start while the clock is ahead does not forget which processes were killed, and a later sweep does', async () => {
  await using server = await startServer();
  const { context, clock } = server;
  await openProcessNote(context).renew();
  await leaveStrays(server, 40);
  clock.jump(days(366));
  const ahead = openProcessNote(context);
  await ahead.renew();
  await ahead.end();
  clock.jump(-days(366));
  clock.advance(hours(25));
  expect(await server.runJob('sweep-strays')).toMatchObject({ strays: 40 });
  const killed = () => context.db.selectFrom('processes').selectAll().execute();
  clock.advance(days(80));
  await server.runJob('sweep-strays');
  expect(await killed()).toHaveLength(1);
  clock.advance(days(10));
  await server.runJob('sweep-strays', { dryRun: true });
  expect(await killed()).toHaveLength(1);
  await server.runJob('sweep-strays');
  expect(await killed()).toEqual([]);
});
