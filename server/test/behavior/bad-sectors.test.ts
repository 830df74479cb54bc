/** One blob that the disk cannot read or remove is named and passed over. Copies: `databases/backup`. */
import { expect } from 'vitest';
import { days, hours } from '../../src/lib/clock.ts';
import { readerOf } from '../../src/lib/byte-reader.ts';
import { findBytes } from '../../src/moderation/find-file.ts';
import { discard } from '../../src/moderation/take-down.ts';
import { quarantine } from '../../src/moderation/quarantine.ts';
import { newBlobId } from '../../src/storage/blobs/blob-id.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { failAt } from '../harness/failing-blobs.ts';
import { runFsck } from '../harness/run-fsck.ts';
import type { TestServer } from '../harness/start-server.ts';
import { ageBytes, storedNamed, storedNames } from '../harness/stored-bytes.ts';
import { download, sha256, uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

const actor = { operator: 'ada', action: 'file discard' };

async function filesOf(server: TestServer, count: number) {
  const ada = await signUpAndIn(server, { plan: 'power' });
  const names: string[] = [];
  for (let at = 0; at < count; at += 1) names.push(await uploadFile(server, ada, `file ${at}`));
  const ids = await Promise.all(names.map(async (name) => (await findBytes(server.context, name)).blobId));
  const [first = newBlobId()] = ids;
  return { ada, names, ids, first };
}

const jobRow = ({ context: { db } }: TestServer, name: string) =>
  db.selectFrom('jobs').selectAll().where('name', '=', name).executeTakeFirstOrThrow();

test('a purge removes all other bytes, names those that stay, and a later one removes them', async ({ server }) => {
  const { ada, names, first } = await filesOf(server, 4);
  await ada.byKey.deleteFiles({ body: { files: names } });
  server.clock.advance(hours(24));
  const disk = failAt(server.context.blobs, first);
  await expect(server.runJob('purge')).rejects.toThrow(`Passed over, because it could not be done: blob ${first} (EIO`);
  expect(await storedNames(server)).toEqual([first]);
  expect(await jobRow(server, 'purge')).toMatchObject({ failures: 1, last_success_at: 0, leased_until: 0 });
  expect(JSON.parse((await jobRow(server, 'purge')).done)).toMatchObject({ blobs: 3, names: 4 });
  // Its row is back, so it is no stray.
  expect(await server.context.db.selectFrom('blobs').select(['id', 'used_by']).execute()).toEqual([
    { id: first, used_by: 0 },
  ]);
  disk.mend();
  server.clock.advance(hours(25));
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1, bytes: 6 });
  expect(await storedNames(server)).toEqual([]);
});

test('bytes that stay when they are discarded are purged as soon as they can be', async ({ server }) => {
  const { names, first } = await filesOf(server, 1);
  const bytes = await findBytes(server.context, names[0] ?? '');
  await quarantine(server.context, bytes, 'Bad.Thing');
  const disk = failAt(server.context.blobs, first);
  await expect(discard(server.context, actor, bytes)).rejects.toThrow(
    `The bytes of blob ${first} could not be removed`,
  );
  disk.mend();
  server.clock.advance(hours(25));
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1 });
});

test('a sweep removes all other strays, and says what it could not read', async ({ server }) => {
  await filesOf(server, 1);
  const strays = Array.from({ length: 3 }, newBlobId);
  for (const id of strays) await server.context.blobs.write(id, readerOf([Buffer.from('stray')]));
  await ageBytes(server, days(8));
  failAt(server.context.blobs, strays[0] ?? newBlobId());
  const swept = server.runJob('sweep-strays');
  await expect(swept).rejects.toThrow(/the list of blobs \(The folder ff cannot be read.*; blob .* \(EIO/);
  expect((await storedNames(server)).toSorted()).toHaveLength(2);
});

test('a scrub names unreadable bytes, finds others behind them, and repairs by the next upload', async ({ server }) => {
  const { ada, names, ids, first } = await filesOf(server, 3);
  const last = ids.toSorted().at(-1) ?? first;
  const [bad = first] = ids.toSorted();
  await server.context.blobs.remove(last);
  const disk = failAt(server.context.blobs, bad);
  const found = await runFsck(server, { scrub: true });
  expect(found.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['bytes-unreadable', bad],
    ['bytes-missing', last],
    ['bytes-unreadable', 'storage'],
  ]);
  expect(found[0]?.says).toContain(names[ids.indexOf(bad)]);
  expect(await storedNames(server)).toHaveLength(2);
  const [moved] = await runFsck(server, { scrub: true, repair: true });
  expect(moved).toMatchObject({ subject: bad, repaired: false, says: expect.stringContaining('moved to') as string });
  disk.mend();
  const [text, at] = [`file ${ids.indexOf(bad)}`, names[ids.indexOf(bad)] ?? ''];
  expect(await download(server, at)).toBe(500);
  await uploadFile(server, ada, text);
  expect(await download(server, at)).toBe(sha256(Buffer.from(text)));
});

test('an unreadable file is a 500 and an alarm until the next upload of the same bytes', async ({ server }) => {
  const { ada, names, ids } = await filesOf(server, 2);
  for (const id of ids) await (await storedNamed(server, id)).write(Buffer.from('BAD! 0'));
  failAt(server.context.blobs, ...ids);
  // Nobody has tried to read the other one.
  expect(await download(server, names[0] ?? '')).toBe(500);
  expect(server.log.filter((line) => line.includes('ALARM: stored bytes cannot be read'))).toHaveLength(1);
  for (const [at, name] of names.entries()) {
    await uploadFile(server, ada, `file ${at}`);
    expect(await download(server, name)).toBe(sha256(Buffer.from(`file ${at}`)));
  }
  expect((await storedNames(server)).toSorted()).toEqual(ids.toSorted());
});

test('an account that cannot be warned does not stop the warnings of others', async ({ server }) => {
  for (const account of [await signUpAndIn(server), await signUpAndIn(server)]) await uploadFile(server, account);
  const { db } = server.context;
  const { id } = await db.selectFrom('accounts').select('id').orderBy('id').executeTakeFirstOrThrow();
  server.clock.advance(days(340));
  // The day to name would be one that no calendar has.
  const warned = { first_warned_at: 8.64e15, deletion_due_at: server.clock.now() };
  await db.updateTable('accounts').set(warned).where('id', '=', id).execute();
  await expect(server.runJob('dormancy')).rejects.toThrow(`account ${id} (`);
  expect(JSON.parse((await jobRow(server, 'dormancy')).done)).toMatchObject({ firstWarnings: 1 });
});

test('an account that cannot be changed does not stop the deletion of unused files of others', async ({ server }) => {
  const accounts = [await signUpAndIn(server), await signUpAndIn(server)];
  for (const account of accounts) {
    await uploadFile(server, account, 'unused');
    await account.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 3 } });
  }
  const { db } = server.context;
  const [wrong] = (await db.selectFrom('accounts').select('id').orderBy('id').execute()).map(({ id }) => id);
  if (wrong === undefined) throw new Error('unreachable: there are accounts');
  // Less than its files have: the deletion would make it negative.
  await db.updateTable('accounts').set({ space_used: 0 }).where('id', '=', wrong).execute();
  server.clock.advance(days(5));
  await expect(server.runJob('auto-delete', { allowed: 10 })).rejects.toThrow(`account ${wrong} (`);
  const left = await db.selectFrom('files').select('account_id').where('deleted_at', 'is', null).execute();
  expect(left).toEqual([{ account_id: wrong }]);
});
