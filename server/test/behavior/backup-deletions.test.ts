/** The list of what was closed and withheld since a backup, which every restore applies. */
import { cp, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { writeDeletions } from '../../src/operator/backup/deletions.ts';
import { casesAgainst, fileFacts, findBytes, holdsOn } from '../../src/moderation/find-file.ts';
import { quarantineByOperator } from '../../src/moderation/quarantine.ts';
import { restore } from '../../src/moderation/restore-file.ts';
import { gatherStats } from '../../src/operator/stats.ts';
import { takeDown } from '../../src/moderation/take-down.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { backUpInto, fetched, restoreFrom, secret } from '../harness/backups.ts';
import { newFolder } from '../harness/new-place.ts';
import { runFsck } from '../harness/run-fsck.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { sha256, uploadFile } from '../harness/uploads.ts';

const actor = { operator: 'ada', action: 'file take-down' };

test('files withheld since the backup are withheld as soon as it is restored, and their owners are not told again', async () => {
  await using server = await startServer(secret);
  const [ann, bob] = [await signUpAndIn(server), await signUpAndIn(server)];
  const taken = [await uploadFile(server, ann, 'taken down'), await uploadFile(server, bob, 'taken down')];
  const infected = [await uploadFile(server, ann, 'infected'), await uploadFile(server, bob, 'infected')];
  const kept = await uploadFile(server, bob, 'kept');
  const root = await newFolder();
  await backUpInto(root, server);
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

test('a service restored from an earlier backup by mistake keeps later closings and blocks in the list', async () => {
  await using server = await startServer(secret);
  await signUpAndIn(server);
  const root = await newFolder();
  const { path } = await backUpInto(root, server);
  const leaver = await signUpAndIn(server);
  const name = await uploadFile(server, leaver, 'gone');
  await backUpInto(root, server);
  const copy = join(await newFolder(), 'copy');
  await cp(root, copy, { recursive: true });
  await leaver.browser.client.deleteAccount();
  const { context } = server;
  const bob = await signUpAndIn(server);
  for (const text of ['taken down', 'lifted']) {
    await uploadFile(server, bob, text);
    await takeDown(context, actor, await findBytes(context, sha256(text)), `case ${text}`);
  }
  expect(await writeDeletions(context, root)).toBe(3);
  const lifted = await findBytes(context, sha256('lifted'));
  const [hold = null] = await holdsOn(context.db, lifted);
  await restore(context, { actor, bytes: lifted, hold, overQuota: false });
  expect(await writeDeletions(context, root)).toBe(2);

  await using mistaken = await startServer(secret);
  await restoreFrom(join(copy, basename(path)), mistaken);
  await writeDeletions(mistaken.context, root);
  await using second = await startServer(secret);
  expect(await restoreFrom(root, second)).toMatchObject({ deletions: 2 });
  expect(await fetched(second, name)).toBe(404);
  const refused = await uploadFile(second, await signUpAndIn(second), 'taken down').catch((error) => String(error));
  expect(refused).toContain('refused');
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
