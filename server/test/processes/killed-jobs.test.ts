import { expect, test } from 'vitest';
import { readerOf } from '../../src/lib/byte-reader.ts';
import { newBlobId } from '../../src/storage/blobs/blob-id.ts';
import { days, hours } from '../../src/lib/clock.ts';
import { leaseFor } from '../../src/jobs/lease.ts';
import { newEmail, signUpAndIn } from '../harness/accounts.ts';
import { signUp } from '../harness/sign-ups.ts';
import { killUntilDone, startJob } from '../harness/start-job.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';
import { ageBytes, storedNames } from '../harness/stored-bytes.ts';

const patience = 120_000;

/** Three deleted files and one live file, of a deleted account and an open one. */
async function filesToPurge(server: TestServer): Promise<string> {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const names = [await uploadFile(server, ada, 'one'), await uploadFile(server, ada, 'shared')];
  await uploadFile(server, ben, 'three');
  const kept = await uploadFile(server, ada, 'shared');
  await ada.byKey.deleteFiles({ body: { files: names } });
  await ben.browser.client.deleteAccount();
  await server.runJob('empty-accounts');
  server.clock.advance(hours(24));
  return kept;
}

async function expectPurged(server: TestServer, kept: string) {
  const { db } = server.context;
  const blobs = await db.selectFrom('blobs').select(['id', 'used_by']).execute();
  expect(blobs).toMatchObject([{ used_by: 1 }]);
  expect(await (await fetch(fileUrl(server, kept))).text()).toBe('shared');
  const files = await db.selectFrom('files').select(['name', 'original_name']).execute();
  expect(files.filter((file) => file.original_name !== '').map((file) => file.name)).toEqual([kept]);
  const accounts = await db.selectFrom('accounts').select('email').where('email', '<>', '').execute();
  expect(accounts).toHaveLength(1);
}

test(
  'a purge killed at every step removes everything due in the end, and nothing else',
  async () => {
    await using server = await startServer();
    const kept = await filesToPurge(server);
    expect(await killUntilDone(server, 'purge')).toBeGreaterThan(4);
    await expectPurged(server, kept);
    // A process killed between a row and its bytes left bytes, which the sweep finds.
    await ageBytes(server, days(8));
    server.clock.advance(leaseFor);
    await server.runJob('sweep-strays');
    expect(await storedNames(server)).toHaveLength(1);
    await expectPurged(server, kept);
  },
  patience,
);

test(
  'of two concurrent purges one does the work, and other files are kept',
  async () => {
    await using server = await startServer();
    const kept = await filesToPurge(server);
    const results = await Promise.all([startJob(server, 'purge'), startJob(server, 'purge')]);
    // If the second process came late, it found nothing to do.
    const done = results
      .filter((result) => result !== null && result !== 'killed')
      .map((result) => result['blobs'] ?? 0);
    expect(done.reduce((sum, blobs) => sum + blobs, 0)).toBe(2);
    await expectPurged(server, kept);
    expect(await storedNames(server)).toHaveLength(1);
  },
  patience,
);

test(
  'a sweep killed at every step removes the strays in the end, and nothing else',
  async () => {
    await using server = await startServer();
    const name = await uploadFile(server, await signUpAndIn(server), 'kept');
    for (let at = 0; at < 3; at += 1) await server.context.blobs.write(newBlobId(), readerOf([Buffer.from('stray')]));
    await ageBytes(server, days(8));
    expect(await killUntilDone(server, 'sweep-strays')).toBeGreaterThan(1);
    expect(await storedNames(server)).toHaveLength(1);
    expect(await (await fetch(fileUrl(server, name))).text()).toBe('kept');
  },
  patience,
);

test(
  'a deletion of unverified accounts killed at every step leaves each account whole or deleted',
  async () => {
    await using server = await startServer();
    const emails = [newEmail(), newEmail()];
    for (const email of emails) await signUp(server, email);
    const { email } = await signUpAndIn(server);
    server.clock.advance(days(9));
    const { db } = server.context;
    let killed: unknown = 'killed';
    for (let killAt = 2; killed === 'killed'; killAt += 3) {
      killed = await startJob(server, 'delete-unverified', killAt);
      const open = await db.selectFrom('accounts').select('email').where('closed_at', 'is', null).execute();
      const codes = await db.selectFrom('email_codes').selectAll().execute();
      expect(open.length - 1).toBe(codes.length);
      expect([0, 2]).toContain(codes.length);
      server.clock.advance(leaseFor);
    }
    expect(await db.selectFrom('accounts').select('email').where('email', '<>', '').execute()).toEqual([{ email }]);
  },
  patience,
);

test(
  'a deletion of expired rows killed repeatedly completes in the end',
  async () => {
    await using server = await startServer();
    const { browser, byKey } = await signUpAndIn(server);
    await browser.client.requestPasswordReset({ body: { email: 'nobody@example.com' } });
    await signUp(server, newEmail());
    server.clock.advance(days(31));
    expect(await killUntilDone(server, 'delete-expired', 3)).toBeGreaterThan(1);
    for (const table of ['sessions', 'reset_keys', 'email_codes'] as const)
      expect(await server.context.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    await byKey.getAccountInfo();
  },
  patience,
);
