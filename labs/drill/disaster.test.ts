/** A backup under load, changes after it, bad sectors in it, all else lost, and a restore, compared with a model. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanOriginalName } from '@holdfast/contract/src/original-name.ts';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { closeRows } from '../../server/src/accounts/close-account.ts';
import { findBytes } from '../../server/src/moderation/find-file.ts';
import { takeDown } from '../../server/src/moderation/take-down.ts';
import { blobPath } from '../../server/src/storage/blobs/disk.ts';
import { newFolder, newTestPlace } from '../../server/test/harness/new-place.ts';
import { type Place, type Uploader, withContext } from '../../server/test/harness/place.ts';
import { startService } from '../../server/test/harness/real-process.ts';
import { sha256 } from '../../server/test/harness/uploads.ts';
import { signUp } from '../bench/harness/account.ts';
import { newDraft, type KeptFile, uploadDraft } from '../load/kept-files.ts';
import { openRequests } from '../load/request.ts';
import { runCommand } from '../load/run-command.ts';
import { strace } from '../load/strace.ts';

const accounts = 200;
const busy = 20;
const hostile = [
  'résumé "final" \'x\'.txt',
  '../../etc/passwd',
  'a\u202Egnp.exe',
  'line\nbreak\u2028.txt',
  '=?utf-8?B?w7w=?=',
  '表.zip',
  '%00%0d%0a.html',
  '💾'.repeat(60),
  "'; DROP TABLE files; --",
  'con.txt',
];
const plans: readonly PlanLevel[] = ['basic', 'advanced', 'power'];

/** What may stand before the @ of an address, which is the name of its account. */
const hostileNames = [
  "o'brien",
  '%00%0d%0a',
  '{{7*7}}',
  '`id`|cat',
  '$HOME',
  '--',
  '=?utf-8?b?w7w=?=',
  '&amp',
  '~',
  'null',
];

interface Owned {
  readonly uploader: Uploader;
  readonly name: string;
  readonly plan: PlanLevel;
  readonly files: { readonly file: KeptFile; readonly originalName: string }[];
}

/** What a service knows of its accounts and files, in one order. */
const stateOf = (place: Place) =>
  withContext(place, async ({ db }) => ({
    accounts: await db
      .selectFrom('accounts')
      .select(['id', 'email', 'name', 'level', 'space_used', 'slots_used'])
      .where('closed_at', 'is', null)
      .orderBy('id')
      .execute(),
    files: await db
      .selectFrom('files')
      .select(['name', 'account_id', 'original_name', 'size', 'sha256'])
      .where('deleted_at', 'is', null)
      .orderBy('name')
      .execute(),
    held: (await db.selectFrom('blobs').select('sha256').where('held_for', 'is not', null).execute()).length,
  }));

/** Accounts that signed up over the API, a few at a time, each from an address of its own. */
async function signUpAll(place: Place): Promise<Owned[]> {
  await using _service = await startService(place);
  const server = { url: `http://127.0.0.1:${place.port}`, dataDir: place.dataDir };
  const owned: Owned[] = [];
  const next = async (at: number) => {
    const name = `${hostileNames[at % hostileNames.length]}.${at}`;
    const email = `${name}@example.com`;
    const apiKey = await signUp(server, email, { 'X-Forwarded-For': `10.0.0.${at + 1}` });
    const plan = plans[at % plans.length] ?? 'power';
    const { id } = await withContext(place, ({ db }) =>
      db
        .updateTable('accounts')
        .set({ level: plan, granted_level: plan })
        .where('email', '=', email)
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    owned[at] = { uploader: { id, email, apiKey }, name, plan, files: [] };
  };
  for (let at = 0; at < accounts; at += 4) await Promise.all([at, at + 1, at + 2, at + 3].map(next));
  return owned;
}

test.skipIf(strace() !== null)('a restore is what a model says, names each bad blob, and drops nothing', async () => {
  const place = await newTestPlace();
  const owned = await signUpAll(place);
  using requests = openRequests(place.port);
  const store = async ({ uploader, files }: Owned, originalName: string) => {
    const sent = await uploadDraft(requests, newDraft(uploader, 1_000 + files.length), originalName);
    if (!('file' in sent)) throw new Error(`an upload was refused: ${sent.text}`);
    files.push({ file: sent.file, originalName });
    return sent.file;
  };
  const root = join(await newFolder(), 'backup');
  const later: KeptFile[] = [];
  const [before, closed, takenDown] = [3, owned.slice(190), owned.slice(185, 190)];
  {
    await using _service = await startService(place);
    for (let round = 0; round < before; round += 1)
      await Promise.all(owned.map((each, at) => store(each, hostile[(at + round) % hostile.length] ?? 'a')));
    // The last accounts do not change while it is made.
    const uploading = new AbortController();
    const load = owned.slice(0, busy).map(async (each) => {
      while (!uploading.signal.aborted) await store(each, 'a.bin');
    });
    expect(await runCommand(place, ['backup', root])).toMatchObject({ code: 0 });
    uploading.abort();
    await Promise.all(load);
    for (const each of owned.slice(100, 150)) later.push(await store(each, 'a.bin'));
    const actor = { operator: 'drill', action: 'file take-down' };
    await withContext(place, async (context) => {
      for (const { uploader } of closed)
        await context.db.transaction().execute((tx) => closeRows(tx, uploader.id, Date.now()));
      for (const { files } of takenDown)
        await takeDown(context, actor, await findBytes(context, files[0]?.file.name ?? ''), 'case');
    });
    expect(await runCommand(place, ['backup', root, '--deletions'])).toMatchObject({ code: 0 });
  }
  const lost = owned.slice(50, 53).map(({ files }) => files[0]?.file.sha256 ?? '');
  const inBackup = await withContext(place, ({ db }) =>
    db.selectFrom('blobs').select('id').where('sha256', 'in', lost).execute(),
  );
  await rm(place.dataDir, { recursive: true });

  const other = await newTestPlace();
  await runCommand(other, ['migrate']);
  const paths = inBackup.map(({ id }) => join(root, 'blobs', blobPath(id)));
  const restored = await runCommand(other, ['restore', root], { calls: 'read,pread64,preadv', paths });
  expect(restored.code).toBe(1);
  expect(restored.err.trim().split('\n').toSorted()).toEqual(
    inBackup.map(({ id }) => `Not copied, damaged: ${id}`).toSorted(),
  );

  const { accounts: rows, files, held } = await stateOf(other);
  const open = owned.filter((each) => !closed.includes(each));
  expect(rows.map(({ id, name, level }) => [id, name, level])).toEqual(
    open
      .map(({ uploader, name, plan }) => [uploader.id, name, plan])
      .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
  const found = new Map(files.map((file) => [file.name, file]));
  const isTaken = (each: Owned, at: number) => takenDown.includes(each) && at === 0;
  for (const each of open)
    for (const [at, { file, originalName }] of each.files.slice(0, before).entries())
      expect([found.get(file.name)?.sha256, found.get(file.name)?.original_name], file.name).toEqual(
        isTaken(each, at) ? [undefined, undefined] : [file.sha256, cleanOriginalName(originalName)],
      );
  for (const { name } of later) expect(found.has(name)).toBe(false);
  expect(held).toBe(takenDown.length);
  for (const { id, space_used, slots_used } of rows) {
    const own = files.filter((file) => file.account_id === id);
    expect([slots_used, space_used]).toEqual([own.length, own.reduce((sum, { size }) => sum + size, 0)]);
    const owner = owned.findIndex(({ uploader }) => uploader.id === id);
    const withheld = takenDown.some(({ uploader }) => uploader.id === id) ? 1 : 0;
    if (owner >= busy) expect(own).toHaveLength(before - withheld);
  }
  const checked = await runCommand(other, ['fsck', '--scrub']);
  const findings = checked.out.split('\n').filter((line) => /^[a-z]+-[a-z-]+: /.test(line));
  expect(findings.map((line) => line.replace(/ It is used by .*/, '')).toSorted()).toEqual(
    inBackup.map(({ id }) => `bytes-missing: The bytes of blob ${id} are missing.`).toSorted(),
  );
  // With the sectors readable again, another run brings the rest.
  expect(await runCommand(other, ['restore', root])).toMatchObject({ code: 0, err: '' });
  expect(await runCommand(other, ['fsck', '--scrub'])).toMatchObject({ code: 0 });

  await using _restored = await startService(other);
  using links = openRequests(other.port);
  for (const each of open)
    for (const [at, { file }] of each.files.slice(0, before).entries()) {
      const { status, body } = await links.send({ path: `/file/${file.name}` });
      const expected = isTaken(each, at) ? [404, true] : [200, file.sha256];
      expect([status, isTaken(each, at) || sha256(body)], file.name).toEqual(expected);
    }
});
