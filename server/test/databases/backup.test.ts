/** Backups of each database, and their restore. What is the same on both: `behavior/backup`. */
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@holdfast/contract/src/client.ts';
import { expect, test } from 'vitest';
import { days } from '../../src/lib/clock.ts';
import { checkSecret } from '../../src/accounts/api-key.ts';
import { writeFact } from '../../src/storage/db/service-facts.ts';
import { writeDeletions } from '../../src/operator/backup/deletions.ts';
import { findBackup } from '../../src/operator/backup/manifest.ts';
import { casesAgainst, fileFacts, findBytes } from '../../src/moderation/find-file.ts';
import { quarantineByOperator } from '../../src/moderation/quarantine.ts';
import { gatherStats } from '../../src/operator/stats.ts';
import { takeDown } from '../../src/moderation/take-down.ts';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { backUpInto, fetched, restoreFrom, secret } from '../harness/backups.ts';
import { openBrowser } from '../harness/browser.ts';
import { newFolder } from '../harness/new-place.ts';
import { runFsck } from '../harness/run-fsck.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

test('a restore is the state of the backup, but closed accounts and blocked files stay so', async () => {
  await using server = await startServer(secret);
  const [ann, bob, leaver] = [await signUpAndIn(server), await signUpAndIn(server), await signUpAndIn(server)];
  const kept = await uploadFile(server, ann, 'kept', 'kept\u2028.txt');
  const deleted = await uploadFile(server, ann, 'deleted', 'deleted.txt');
  const taken = await uploadFile(server, bob, 'taken down', 'taken.txt');
  const leavers = await uploadFile(server, leaver, 'kept', 'leaver.txt');
  const uploading = new AbortController();
  const busy = (async () => {
    for (let n = 0; !uploading.signal.aborted; n += 1) await uploadFile(server, bob, `upload ${n}`);
  })();
  const root = await newFolder();
  await backUpInto(root, server);
  uploading.abort();
  await busy;
  await ann.byKey.deleteFiles({ body: { files: [deleted] } });
  await ann.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 3 } });
  await leaver.browser.client.deleteAccount();
  const { context } = server;
  await takeDown(context, { operator: 'ada', action: 'file take-down' }, await findBytes(context, taken), 'case 1');
  await writeDeletions(context, root);

  await using second = await startServer(secret);
  // Another process sees nothing of a restore before it is committed.
  let isRestoring = false;
  let isListed = false;
  const db = second.context.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isRestoring || isListed) return result;
      isListed = true;
      await expect(writeDeletions(second.context, root)).rejects.toThrow('of another');
      return result;
    },
  });
  const onRows = () => void (isRestoring = true);
  const { deletions, blobs } = await restoreFrom(root, { context: { ...second.context, db } }, onRows);
  expect(isListed).toBe(true);
  expect({ deletions, blobs }).toMatchObject({ deletions: 2, blobs: { missing: [], damaged: [] } });
  await second.runJob('scan-pending');
  await second.runJob('empty-accounts');
  expect(await Promise.all([kept, deleted, taken, leavers].map((name) => fetched(second, name)))).toEqual([
    'kept',
    'deleted',
    404,
    404,
  ]);
  const client = createClient(fetch, { origin: second.url, apiKey: ann.apiKey });
  expect((await client.getFileList({ query: {} })).pagination.total_files).toBe(2);
  expect(await second.context.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  const browser = openBrowser(second);
  await browser.client.login({ body: { email: ann.email, password: goodPassword } });
  expect((await browser.client.getAccountInfo()).account.info.api_key).toBe(ann.apiKey);
  await expect(
    openBrowser(second).client.login({ body: { email: leaver.email, password: goodPassword } }),
  ).rejects.toThrow();
  const refused = await uploadFile(second, bob, 'taken down').catch((error: unknown) => String(error));
  expect(refused).toContain('refused');
});

test('files withheld since the backup are withheld as soon as it is restored, and their owners are not told again', async () => {
  await using server = await startServer(secret);
  const [ann, bob] = [await signUpAndIn(server), await signUpAndIn(server)];
  const taken = [await uploadFile(server, ann, 'taken down'), await uploadFile(server, bob, 'taken down')];
  const infected = [await uploadFile(server, ann, 'infected'), await uploadFile(server, bob, 'infected')];
  const kept = await uploadFile(server, bob, 'kept');
  const root = await newFolder();
  await backUpInto(root, server);
  const actor = { operator: 'ada', action: 'file take-down' };
  await takeDown(server.context, actor, await findBytes(server.context, taken[0] ?? ''), 'case 1');
  await quarantineByOperator(server.context, actor, await findBytes(server.context, infected[0] ?? ''), 'a worm');
  await writeDeletions(server.context, root);
  await using second = await startServer(secret);
  await restoreFrom(root, second);
  const links = () => Promise.all([...taken, ...infected, kept].map((name) => fetched(second, name)));
  expect(await links()).toEqual([404, 404, 404, 404, 'kept']);
  const stateOf = async ({ context }: TestServer) => {
    const files = await Promise.all(
      [...taken, ...infected].map(async (name) => {
        const { files: found, blob, ...facts } = await fileFacts(context, await findBytes(context, name));
        const reasons = found.map(({ deleted_because }) => deleted_because);
        return { ...facts, reasons, state: { ...blob, unused_since: null } };
      }),
    );
    const { takedowns, withheld, files: live } = await gatherStats(context);
    const ids = await context.db.selectFrom('accounts').select('id').orderBy('id').execute();
    const cases = await Promise.all(ids.map(({ id }) => casesAgainst(context, id)));
    return { files, takedowns, withheld, live, cases };
  };
  expect(await stateOf(second)).toEqual(await stateOf(server));
  expect(await runFsck(second)).toEqual([]);
  await second.runJob('scan-pending');
  expect(await second.mail.emails()).toEqual([]);
});

test('a restore accepts the secret key of the backup alone, also where another one was noted before', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  await checkSecret(server.context);
  const root = await newFolder();
  await backUpInto(root, server);
  await using second = await startServer({ SECRET_KEY: 'of the new place, which was started once' });
  await checkSecret(second.context);
  await restoreFrom(root, second);
  await expect(checkSecret(second.context)).rejects.toThrow(/^SECRET_KEY cannot be used: .* Put the old one back/);
  await checkSecret({ ...second.context, secret: server.context.secret });
});

test('of two lists written at once the older one does not replace the newer, and a killed one leaves nothing', async () => {
  await using server = await startServer(secret);
  const leaver = await signUpAndIn(server);
  const root = await newFolder();
  await backUpInto(root, server);
  const part = join(root, 'deletions.json.part');
  await writeFile(part, 'killed');
  await utimes(part, 1, 1);
  let results = 0;
  const db = server.context.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      // After the service, the accounts and the digests were read.
      if ((results += 1) === 3) {
        await leaver.browser.client.deleteAccount();
        await writeDeletions(server.context, root);
      }
      return result;
    },
  });
  expect(await writeDeletions({ db }, root)).toBe(1);
  expect((await readdir(root)).filter((name) => name.startsWith('deletions'))).toEqual(['deletions.json']);
  expect(await readFile(join(root, 'deletions.json'), 'utf8')).toContain('"closed_accounts":["');
});

test('neither an empty, nor another service, nor one begun anew adds to the backups of a service', async () => {
  await using server = await startServer(secret);
  await uploadFile(server, await signUpAndIn(server));
  const root = await newFolder();
  const { manifest } = await backUpInto(root, server);
  await using other = await startServer(secret);
  await expect(backUpInto(root, other)).rejects.toThrow('This service has no accounts');
  await expect(writeDeletions(other.context, root)).rejects.toThrow('backups of another service');
  await using foreign = await startServer(secret);
  await signUpAndIn(foreign);
  await expect(backUpInto(root, foreign)).rejects.toThrow('backups of another service');
  // As if the database of the service were lost, and another one begun for its storage.
  const service = manifest.service ?? '';
  await writeFact(other.context.db, 'id', { value: service, at: 0 });
  await other.context.blobs.markService(service);
  await expect(backUpInto(root, other)).rejects.toThrow('This service has no accounts');
  await signUpAndIn(other);
  await expect(backUpInto(root, other)).rejects.toThrow('is of another database of this service');
  expect((await findBackup(root)).manifest).toEqual(manifest);
});

/** A service that was restored from the folder or the backup. */
async function restored(path: string) {
  const server = await startServer(secret);
  await restoreFrom(path, server);
  return server;
}

test('of a service and its restored copy, only the one that backs up first goes on in a folder', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  const [root, other] = [await newFolder(), await newFolder()];
  await backUpInto(root, server);
  await backUpInto(other, server);
  const refused = async (folder: string, late: TestServer) => {
    await expect(backUpInto(folder, late)).rejects.toThrow('is of another database of this service');
    await expect(writeDeletions(late.context, folder)).rejects.toThrow('is of another database of this service');
  };
  await using first = await restored(root);
  await using second = await restored(other);
  await backUpInto(root, first);
  await writeDeletions(first.context, root);
  await backUpInto(root, first);
  await refused(root, server);
  await refused(root, second);
  server.clock.advance(days(1));
  await backUpInto(other, server);
  await refused(other, second);
  await refused(other, first);
  await backUpInto(join(await newFolder(), 'own'), second);
});

test('a restore, also of an earlier backup or without those of other folders, goes on in each folder', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  const [root, weekly] = [await newFolder(), await newFolder()];
  const { path } = await backUpInto(root, server);
  await backUpInto(weekly, server);
  server.clock.advance(days(400));
  await backUpInto(root, server);
  await using second = await restored(root);
  await backUpInto(root, second);
  await using earlier = await restored(path);
  await backUpInto(root, earlier);
  await backUpInto(weekly, earlier);
  await using last = await restored(root);
  await backUpInto(weekly, last);
  await backUpInto(root, last);
});

test('backups from before databases had lives are continued by each copy', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  const root = await newFolder();
  const { path } = await backUpInto(root, server);
  const manifest = join(path, 'manifest.json');
  const { life: _, ...without } = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, unknown>;
  await writeFile(manifest, JSON.stringify(without));
  await server.context.db.deleteFrom('service_facts').where('name', '=', 'lives').execute();
  await using second = await restored(root);
  await backUpInto(root, second);
  await expect(backUpInto(root, server)).rejects.toThrow('is of another database of this service');
});
