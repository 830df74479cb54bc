import { expect, test } from 'vitest';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { minutes } from '../../src/lib/clock.ts';
import { emptyAccounts } from '../../src/jobs/empty-accounts.ts';
import { runJob } from '../../src/jobs/run-job.ts';
import { beforeTransactions } from '../harness/before-transactions.ts';
import { holdfastJson } from '../harness/holdfast.ts';
import { runFsck } from '../harness/run-fsck.ts';
import { killUntilDone } from '../harness/start-job.ts';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, sha256, uploadFile } from '../harness/uploads.ts';

const statusOf = async (server: TestServer, name: string) => (await fetch(fileUrl(server, name))).status;

test('a large account is closed at once, and its files are deleted in batches despite kills', async () => {
  await using server = await startServer();
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const before = [await uploadFile(server, ben, 'shared'), await uploadFile(server, ada, 'shared')] as const;
  const names = await storeRows(
    server,
    ada,
    Array.from({ length: 1_199 }, () => ({ size: 6, sha256: sha256('shared') })),
  );
  const { db } = server.context;
  const account = () =>
    db
      .selectFrom('accounts')
      .select(['space_used', 'slots_used'])
      .where('email', '=', ada.email)
      .executeTakeFirstOrThrow();
  await ada.browser.client.login({ body: { email: ada.email, password: goodPassword } });
  await ada.browser.client.deleteAccount();
  expect(server.soon).toContain('empty-accounts');
  expect(await statusOf(server, before[1])).toBe(404);
  expect(await statusOf(server, names[0] ?? '')).toBe(404);
  expect(await account()).toMatchObject({ slots_used: 1_200 });
  expect(await server.runJob('empty-accounts', { dryRun: true })).toEqual({ accounts: 1, files: 1_200 });
  expect(await runFsck(server)).toEqual([]);

  // Half-way: some files are deleted and their quota is released, and nothing else has changed.
  const stopping = new AbortController();
  let transactions = 0;
  const watched = beforeTransactions(db, async () => {
    if ((transactions += 1) === 3) stopping.abort(new Error('killed'));
  });
  const context = { ...server.context, db: watched };
  await expect(runJob(context, emptyAccounts, { signal: stopping.signal })).rejects.toThrow('killed');
  expect(await account()).toMatchObject({ slots_used: 900 });
  expect(await runFsck(server)).toEqual([]);

  // A process killed before any of its statements leaves the rest to the next one.
  server.clock.advance(minutes(5));
  expect(await killUntilDone(server, 'empty-accounts', 19)).toBeGreaterThan(1);
  expect(await account()).toEqual({ space_used: 0, slots_used: 0 });
  const reasons = await db.selectFrom('files').select('deleted_because').distinct().execute();
  expect(new Set(reasons.map((row) => row.deleted_because))).toEqual(new Set(['account', null]));
  expect(await db.selectFrom('blobs').select(['size', 'used_by', 'unused_since']).execute()).toEqual([
    { size: 6, used_by: 1, unused_since: null },
  ]);
  expect(await statusOf(server, before[0])).toBe(200);
  expect(await runFsck(server)).toEqual([]);
  expect(await server.runJob('empty-accounts')).toEqual({ accounts: 0, files: 0 });
});

test('a takedown while an account is being emptied releases no quota', async () => {
  await using server = await startServer();
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const mine = await uploadFile(server, ada, 'shared');
  const kept = await uploadFile(server, ben, 'shared');
  await ada.browser.client.deleteAccount();
  expect(await holdfastJson(server, 'file', 'show', mine)).toMatchObject([
    { live_files: 1, files: [{ name: mine, deleted_because: 'account', deleted: expect.any(String) }] },
  ]);
  const dry = await holdfastJson(server, 'file', 'take-down', mine, '--case', 'A', '--dry-run');
  expect(dry).toMatchObject([{ files: 1, accounts: 1 }]);
  const emails = async () => (await server.mail.emails()).filter(({ to }) => to === ada.email).length;
  const before = await emails();
  expect(await holdfastJson(server, 'file', 'take-down', mine, '--case', 'A')).toMatchObject([
    { files: 1, accounts: 1 },
  ]);
  server.clock.advance(minutes(1));
  expect(await emails()).toBe(before);
  expect(await server.runJob('empty-accounts')).toEqual({ accounts: 0, files: 0 });
  const cases = await server.context.db.selectFrom('takedowns').select('account_id').execute();
  expect(cases).toHaveLength(1);
  expect(await holdfastJson(server, 'file', 'restore', '--case', 'A', '--yes')).toMatchObject([
    { accounts: [{ account: ben.email, outcome: 'restored', files: 1 }] },
  ]);
  expect([await statusOf(server, mine), await statusOf(server, kept)]).toEqual([404, 200]);
  expect(await runFsck(server)).toEqual([]);
});
