/** Backups of each database, and their restore. What is the same on both: `behavior/backup`. */
import { createClient } from '@holdfast/contract/src/client.ts';
import { expect, test } from 'vitest';
import { writeDeletions } from '../../src/operator/backup/deletions.ts';
import { findBytes } from '../../src/moderation/find-file.ts';
import { takeDown } from '../../src/moderation/take-down.ts';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { backUpInto, fetched, restoreFrom, secret } from '../harness/backups.ts';
import { openBrowser } from '../harness/browser.ts';
import { newFolder } from '../harness/new-place.ts';
import { startServer } from '../harness/start-server.ts';
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
