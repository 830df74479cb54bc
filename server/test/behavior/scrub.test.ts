/** `fsck --scrub` moves bytes that a disk has corrupted aside, and loses none. */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { StorageFull } from '../../src/storage/blobs/blobs.ts';
import { hours } from '../../src/lib/clock.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { type Database, DatabaseUnavailable } from '../../src/storage/db/database.ts';
import { beforeCommits, beforeTransactions, runTwice } from '../harness/before-transactions.ts';
import { holdfast, holdfastJson } from '../harness/holdfast.ts';
import { runFsck } from '../harness/run-fsck.ts';
import { type TestServer } from '../harness/start-server.ts';
import { download, sha256, uploadFile } from '../harness/uploads.ts';
import { ageBytes, flipByte, onlyStored, storedNames } from '../harness/stored-bytes.ts';
import { test } from '../harness/server-test.ts';

/** A file of an account whose stored bytes the disk has corrupted. */
async function openDamage(server: TestServer, size: number) {
  const account = await signUpAndIn(server, { plan: 'power' });
  const bytes = new Uint8Array(randomBytes(size));
  const name = await uploadFile(server, account, bytes, 'a.zip');
  const stored = await onlyStored(server);
  const damage = () => flipByte(stored);
  return { account, bytes, name, stored, blob: stored.name, damage };
}

test('damaged bytes are an error after a scrub, until the same bytes are uploaded', async ({ server }) => {
  const { account, bytes, name, stored, blob, damage } = await openDamage(server, 2_000_000);
  await damage();
  const damaged = await stored.read();
  expect(await download(server, name)).toBe(sha256(damaged));
  expect(await runFsck(server)).toEqual([]);
  expect(await download(server, name)).toBe(sha256(damaged));

  const { code, out } = await holdfast(server, 'fsck', '--scrub');
  expect(code).toBe(1);
  const [, movedTo = ''] = /^bytes-damaged: .+ They were moved to (\S+)\.$/m.exec(out) ?? [];
  expect(movedTo).toContain(`/damaged/${blob}`);
  const aside = await onlyStored(server);
  expect(movedTo.endsWith(aside.name)).toBe(true);
  expect((await aside.read()).equals(damaged)).toBe(true);
  expect(await holdfastJson(server, 'audit')).toMatchObject([
    { action: 'fsck', subject: blob, details: { blob, sha256: sha256(bytes), moved_to: movedTo } },
  ]);
  expect(await download(server, name)).toBe(500);
  expect(server.log.filter((line) => line.includes('ALARM'))).toHaveLength(1);

  const second = await uploadFile(server, account, bytes, 'b.zip');
  for (const each of [name, second]) expect(await download(server, each)).toBe(sha256(bytes));
  expect(await runFsck(server, { scrub: true })).toEqual([]);
});

test('bytes moved aside are kept, and are neither blobs nor strays', async ({ server }) => {
  const { stored, blob, damage } = await openDamage(server, 1_000);
  await damage();
  const damaged = await stored.read();
  expect(await runFsck(server, { scrub: true })).toMatchObject([{ kind: 'bytes-damaged', repaired: false }]);
  const missing = { kind: 'bytes-missing', subject: blob };
  expect(await runFsck(server, { scrub: true, repair: true })).toMatchObject([missing]);
  await ageBytes(server, hours(25));
  server.clock.advance(hours(25));
  expect(await server.runJob('sweep-strays')).toEqual({ strays: 0, bytes: 0 });
  server.clock.advance(hours(25));
  await server.runJob('purge');
  expect(await runFsck(server, { scrub: true })).toMatchObject([missing]);
  const aside = await onlyStored(server);
  expect(aside.name).toContain(blob);
  expect((await aside.read()).equals(damaged)).toBe(true);
});

test('bytes moved aside are reported also if the database repeats the transaction', async ({ server }) => {
  const { blob, damage } = await openDamage(server, 1_000);
  await damage();
  const db = runTwice(server.context.db, async () => {});
  const found = await runFsck(server, { scrub: true, context: { ...server.context, db } });
  expect(found).toMatchObject([{ kind: 'bytes-damaged', subject: blob, says: expect.stringContaining('moved to') }]);
  expect(await holdfastJson(server, 'audit')).toMatchObject([{ action: 'fsck', subject: blob }]);
});

test('damaged bytes stay in place while the database is locked, and are reported if the move is not recorded', async ({
  server,
}) => {
  const { blob, damage } = await openDamage(server, 1_000);
  await damage();
  const away = () => Promise.reject(new DatabaseUnavailable(new Error('database is locked')));
  const { context } = server;
  const scrubWith = (db: Database) => runFsck(server, { scrub: true, context: { ...context, db } });
  await expect(scrubWith(beforeTransactions(context.db, away))).rejects.toThrow('database is locked');
  expect(await storedNames(server)).toEqual([blob]);
  const [found] = await scrubWith(beforeCommits(context.db, away));
  expect(found?.says).toMatch(/They were moved to .+, which was not recorded: .+ locked\.$/);
});

test('damaged bytes are reported also if a full disk prevents the move', async ({ server }) => {
  const { blob, damage } = await openDamage(server, 1_000);
  await damage();
  const blobs = { ...server.context.blobs, setAside: () => Promise.reject(new StorageFull('no space left')) };
  const found = await runFsck(server, { scrub: true, context: { ...server.context, blobs } });
  expect(found).toMatchObject([
    { kind: 'bytes-damaged', subject: blob, says: expect.stringMatching(/moved out of their place: .+ full/) },
  ]);
  expect(await storedNames(server)).toEqual([blob]);
});
