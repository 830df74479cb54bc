import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createClient } from '@holdfast/contract/src/client.ts';
import { expect, test } from 'vitest';
import { blobPath } from '../../src/engines/blobs/blob-id.ts';
import { days } from '../../src/lib/clock.ts';
import { readLines } from '../../src/operator/backup/lines-file.ts';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { holdfast, holdfastJson, startHoldfast } from '../harness/holdfast.ts';
import { newFolder, newPlace } from '../harness/new-place.ts';
import { startServer } from '../harness/start-server.ts';
import { sha256, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';

test('the drill: back up while serving, delete more, lose everything, restore and continue', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const kept = await uploadFile(server, ann, 'kept', 'kept.txt');
  const before = await uploadFile(server, ann, 'before', 'before.txt');
  const after = await uploadFile(server, ann, 'after', 'after.txt');
  await ann.byKey.deleteFiles({ body: { files: [before] } });
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  const [made] = await holdfastJson(server, 'backup', backup, '--blobs', pool);
  expect(made).toMatchObject({ folder: backup, copied: { copied: 2, kept: 0, missing: [], damaged: [] } });
  await ann.byKey.deleteFiles({ body: { files: [after] } });
  expect(await holdfastJson(server, 'backup', backup, '--deletions')).toEqual([{ folder: backup, deletions: 4 }]);

  const place = await newPlace();
  const restored = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(restored.out).toBe('The backup is restored. Later deletions and changes that were applied again: 1.\n');
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });

  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${kept}`)).text).toBe('kept');
  for (const gone of [before, after]) expect((await call(second, `/file/${gone}`)).status).toBe(404);
  // The key is sealed with the secret, which the restore brought along.
  const browser = openBrowser(second);
  await browser.client.login({ body: { email: ann.email, password: goodPassword } });
  const { account } = await browser.client.getAccountInfo();
  expect(account.info.api_key).toBe(ann.apiKey);
  expect(account.usage).toEqual({ space_used: 4, slots_used: 1 });
  const client = createClient(fetch, { origin: second.url, apiKey: ann.apiKey });
  const { pagination } = await client.getFileList({ query: {} });
  expect(pagination.total_files).toBe(1);
  expect(await holdfastJson(second, 'audit')).toMatchObject([{ action: 'restore' }]);
});

test('missing bytes are counted and fail the restore', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  await uploadFile(server, ann, 'one', 'one.txt');
  const backup = join(await newFolder(), 'monday');
  expect((await holdfast(server, 'backup', backup)).code).toBe(0);
  const place = await newPlace();
  const restored = await holdfast(place, 'restore', backup);
  expect(restored.code).toBe(1);
  expect(restored.out).toMatch(/Blobs that are missing: 1/);
});

test(
  'dropping asks, stops if too few bytes are found, and is undone when the bytes arrive',
  { timeout: 90_000 },
  async () => {
    await using server = await startServer();
    const ann = await signUpAndIn(server);
    const names: string[] = [];
    for (let n = 0; n < 8; n += 1) names.push(await uploadFile(server, ann, `file ${n}`, `${n}.txt`));
    const bob = await signUpAndIn(server);
    const down = await uploadFile(server, bob, 'down', 'down.txt');
    await holdfast(server, 'file', 'take-down', down, '--case', 'C-1');
    const folder = await newFolder();
    const [backup, pool, half] = [join(folder, 'monday'), join(folder, 'blobs'), join(folder, 'half')];
    await holdfast(server, 'backup', backup, '--blobs', pool);
    const place = await newPlace();
    const drop = (...more: string[]) => holdfast(place, 'restore', backup, '--drop-missing', ...more);
    // Without any of the bytes, the folder must be the wrong one; --allow does not change that.
    for (const more of [[], ['--yes'], ['--yes', '--allow', '100']])
      expect(await drop(...more)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringMatching(/^None of the 9 blobs/),
      });
    // Half of the bytes.
    const paths = (await readFile(join(backup, 'blobs.txt'), 'utf8')).trim().split('\n');
    for (const path of paths.slice(0, 5)) await cp(join(pool, path), join(half, path), { recursive: true });
    expect(await drop('--yes', '--blobs', half)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^It would delete 4 of 9/),
    });
    const unasked = await drop('--allow', '4');
    expect(unasked).toMatchObject({ code: 2, out: '' });
    expect(unasked.err).toMatch(
      /^4 blobs of 9 are missing\. The files that need them are deleted\. There is no terminal to ask on: add --yes/,
    );
    expect(await holdfastJson(place, 'stats')).toMatchObject([{ files: { live: 8 } }]);
    const dropped = await drop('--yes', '--allow', '4');
    expect(dropped).toMatchObject({ code: 0, err: '' });
    expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });
    const [{ files }] = (await holdfastJson(place, 'stats')) as [{ files: { live: number } }];
    expect(files.live).toBeLessThan(8);

    // The other folder has all bytes.
    const back = await holdfast(place, 'restore', backup, '--blobs', pool);
    expect(back).toMatchObject({ code: 0, err: '' });
    expect(back.out).toContain(`Files that were dropped before and have their bytes again: ${8 - files.live}.`);
    expect(await holdfast(place, 'fsck', '--scrub')).toMatchObject({ code: 0 });
    expect(await holdfast(place, 'file', 'restore', down)).toMatchObject({ code: 0 });
    await using second = await startServer(place.environment);
    for (const [n, name] of names.entries()) expect((await call(second, `/file/${name}`)).text).toBe(`file ${n}`);
    expect((await call(second, `/file/${down}`)).text).toBe('down');
    expect((await holdfastJson(second, 'account', 'show', ann.email))[0]).toMatchObject({
      slots_used: 8,
      space_used: 48,
    });
  },
);

test('a dropped file that was blocked since is withheld when its bytes arrive, others are not', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const [kept, down, other] = [
    await uploadFile(server, ann, 'kept', 'kept.txt'),
    await uploadFile(server, ann, 'down', 'down.txt'),
    await uploadFile(server, ann, 'other', 'other.txt'),
  ];
  const folder = await newFolder();
  const [backup, pool, half] = [join(folder, 'monday'), join(folder, 'blobs'), join(folder, 'half')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  const { blob_id } = await server.context.db
    .selectFrom('files')
    .select('blob_id')
    .where('name', '=', kept)
    .executeTakeFirstOrThrow();
  const path = blobPath(blob_id);
  await cp(join(pool, path), join(half, path), { recursive: true });
  const place = await newPlace();
  const drop = ['restore', backup, '--blobs', half, '--drop-missing', '--yes', '--allow', '2'];
  expect(await holdfast(place, ...drop)).toMatchObject({ code: 0 });
  expect(await holdfast(place, 'file', 'take-down', down, '--case', 'C-1')).toMatchObject({ code: 0 });
  const back = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(back).toMatchObject({ code: 0, err: '' });
  expect(back.out).toContain('Files that were dropped before and have their bytes again: 1.');
  expect(await holdfast(place, 'fsck', '--scrub')).toMatchObject({ code: 0 });
  expect((await holdfastJson(place, 'account', 'show', ann.email))[0]).toMatchObject({ cases: ['C-1'], slots_used: 2 });
  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${other}`)).text).toBe('other');
  expect((await call(second, `/file/${down}`)).status).toBe(404);
  expect(await holdfast(place, 'file', 'restore', down)).toMatchObject({ code: 0 });
  expect((await call(second, `/file/${down}`)).text).toBe('down');
});

test('the days without access begin anew when a later restore brings the bytes', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'kept', 'kept.txt');
  await ann.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 7 } });
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup)).toMatchObject({ code: 1 });
  // As if the service had run for eight days without its bytes.
  await using second = await startServer(place.environment);
  const { db } = second.context;
  const ago = Date.now() - days(8);
  await db
    .updateTable('files')
    .set({ uploaded_at: ago - days(1), returned_at: ago })
    .execute();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  expect(await holdfastJson(place, 'jobs', 'run', 'auto-delete')).toMatchObject([{ files: 0 }]);
  expect((await call(second, `/file/${name}`)).text).toBe('kept');
});

test('a repeated restore reports a changed deletion list and files dropped too long ago', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  for (const text of ['one', 'two']) await uploadFile(server, ann, text, `${text}.txt`);
  const folder = await newFolder();
  const [backup, pool, half] = [join(folder, 'monday'), join(folder, 'blobs'), join(folder, 'half')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  const [path = ''] = (await readFile(join(backup, 'blobs.txt'), 'utf8')).trim().split('\n');
  await cp(join(pool, path), join(half, path), { recursive: true });
  const place = await newPlace();
  const drop = ['restore', backup, '--blobs', half, '--drop-missing', '--yes', '--allow', '1'];
  expect(await holdfast(place, ...drop)).toMatchObject({ code: 0 });
  await holdfast(server, 'account', 'delete', ann.email, '--yes');
  await holdfast(server, 'backup', backup, '--deletions');
  const again = await holdfast(place, 'restore', backup);
  expect(again).toMatchObject({ code: 1, err: '' });
  expect(again.out).toContain('has changed since the first restore and was not applied');
  await rm(join(backup, 'deletions.jsonl.gz'));
  await using second = await startServer(place.environment);
  second.clock.advance(days(2));
  await second.runJob('purge');
  const late = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(late).toMatchObject({ code: 1, err: '' });
  expect(late.out).toContain('dropped too long ago to be brought back here, although their bytes are there: 1.');
});

test('bytes changed in the backup folder are not restored', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const [good, bad] = [await uploadFile(server, ann, 'good', 'a.txt'), await uploadFile(server, ann, 'bad', 'b.txt')];
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  const files = server.context.db.selectFrom('files').select('blob_id').where('name', '=', bad);
  const path = join(pool, blobPath((await files.executeTakeFirstOrThrow()).blob_id));
  await writeFile(path, 'bat');
  const place = await newPlace();
  const restored = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(restored).toMatchObject({ code: 1, err: '' });
  expect(restored.out).toMatch(/Blobs that are damaged in the folder of the backup, and were not copied: 1\./);
  expect((await holdfast(place, 'fsck')).out).toMatch(/^bytes-missing: /);
  // Dropping applies only to missing bytes; these can be repaired.
  expect(await holdfast(place, 'restore', backup, '--blobs', pool, '--drop-missing', '--yes')).toMatchObject({
    code: 1,
  });
  expect(await holdfastJson(place, 'stats')).toMatchObject([{ files: { live: 2 } }]);
  await writeFile(path, 'bad');
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0 });
  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${good}`)).text).toBe('good');
  expect((await call(second, `/file/${bad}`)).text).toBe('bad');

  // A backup does not copy them either.
  await writeFile(join(server.dataDir, 'blobs', blobPath((await files.executeTakeFirstOrThrow()).blob_id)), 'bat');
  const made = await holdfast(server, 'backup', join(folder, 'tuesday'), '--blobs', join(folder, 'other'));
  expect(made.code).toBe(1);
  expect(made.out).toMatch(/1 are damaged in the storage and were not copied: run holdfast fsck --scrub\./);
});

test('a migrated but empty database can be restored into, and keeps its log', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'kept', 'kept.txt');
  await holdfast(server, 'account', 'set-plan', ann.email, 'starter');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  const place = await newPlace();
  expect(await holdfast(place, 'migrate')).toMatchObject({ code: 0 });
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  const actions = (await holdfastJson(place, 'audit')).map(({ action }) => action);
  expect(actions).toHaveLength(3);
  expect(new Set(actions)).toEqual(new Set(['account set-plan', 'migrate', 'restore']));
  // The key generated for the empty database is set aside; the backup's key seals and unseals.
  expect(await readdir(place.dataDir)).toContain('secret.key.before-restore');
  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${name}`)).text).toBe('kept');
  const browser = openBrowser(second);
  await browser.client.login({ body: { email: ann.email, password: goodPassword } });
  expect((await browser.client.getAccountInfo()).account.info.api_key).toBe(ann.apiKey);
});

test('a backup of the previous version can be restored', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'kept', 'kept.txt');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  const { id } = await server.context.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const subscription = { account_id: id, customer_id: 'cus_1', snapshots_begun: 7, snapshot_applied: 6 };
  await server.context.db.insertInto('subscriptions').values(subscription).execute();
  for (const plan of ['starter', 'basic']) await holdfast(server, 'account', 'set-plan', ann.email, plan);
  await holdfast(server, 'backup', backup, '--blobs', pool);
  await asBefore(backup);
  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  // The audit log of that version had no hashes.
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });
  expect(await holdfastJson(place, 'audit')).toHaveLength(3);
  expect(await holdfast(place, 'fsck', '--scrub')).toMatchObject({ code: 0 });
  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${name}`)).text).toBe('kept');
  expect(await second.context.db.selectFrom('subscriptions').selectAll().execute()).toMatchObject([subscription]);
  // An older one still needs its own version.
  const path = join(backup, 'manifest.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('0013-what-the-purge-finds', '0012-deletions'));
  expect((await holdfast(await newPlace(), 'restore', backup)).err).toMatch(/^The backup was taken at 0012-deletions/);
});

/** Removes the tables and columns of migrations 0014 and 0015, and writes names as they were before 0016. */
async function asBefore(backup: string): Promise<void> {
  const later = ['returned_at', 'favorite_since', 'changed_at', 'unknown_since', 'sudo_user', 'previous', 'hash'];
  const manifest = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as {
    tables: Record<string, { sha256: string }>;
  };
  for (const [table, facts] of Object.entries(manifest.tables)) {
    const path = join(backup, `${table}.jsonl.gz`);
    const rows: Record<string, unknown>[] = [];
    for await (const page of readLines<Record<string, unknown>>(path)) rows.push(...page);
    for (const row of rows) {
      for (const column of later) delete row[column];
      if (table === 'files') row['original_name'] = 'notes\u2028part two.txt';
      if (table === 'subscriptions') renameBack(row);
    }
    const bytes = gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await writeFile(path, bytes);
    facts.sha256 = sha256(bytes);
  }
  for (const table of ['discarded_digests', 'upload_keys', 'invitations']) {
    delete manifest.tables[table];
    await rm(join(backup, `${table}.jsonl.gz`));
  }
  const before = { ...manifest, service: undefined, migration: '0013-what-the-purge-finds.sql' };
  await writeFile(join(backup, 'manifest.json'), JSON.stringify(before));
}

function renameBack(row: Record<string, unknown>): void {
  for (const [then, now] of [
    ['readings_begun', 'snapshots_begun'],
    ['reading_applied', 'snapshot_applied'],
  ] as const) {
    row[then] = row[now];
    delete row[now];
  }
}

test('a storage of another service is refused by a restore and by a sweep', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  await uploadFile(server, ann, 'mine', 'mine.txt');
  await server.runJob('sweep-strays');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  await using other = await startServer();
  await uploadFile(other, await signUpAndIn(other), 'theirs', 'theirs.txt');
  await other.runJob('sweep-strays');
  const foreign = { BLOBS_URL: `file:${join(other.dataDir, 'blobs')}` };
  const place = await newPlace();
  const refused = await (await startHoldfast(place, ['restore', backup, '--blobs', pool], foreign)).ended;
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(/^The storage belongs to the service .*, and the database to /);
  expect(await holdfastJson(place, 'stats')).toMatchObject([{ accounts: { open: 0 } }]);
  expect(await storedNames(other)).toHaveLength(1);
  // An empty database and one with rows, each with the storage of another service, which is kept intact.
  await holdfast(place, 'migrate');
  for (const at of [place, server]) {
    const swept = await (await startHoldfast(at, ['jobs', 'run', 'sweep-strays'], foreign)).ended;
    expect(swept).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('The storage belongs to the service'),
    });
  }
  // A storage that is marked and still empty becomes the restored service's own.
  await using empty = await startServer();
  await empty.runJob('sweep-strays');
  const fresh = { BLOBS_URL: `file:${join(empty.dataDir, 'blobs')}` };
  expect(await (await startHoldfast(place, ['restore', backup, '--blobs', pool], fresh)).ended).toMatchObject({
    code: 0,
  });
  expect(await (await startHoldfast(place, ['jobs', 'run', 'sweep-strays'], fresh)).ended).toMatchObject({ code: 0 });
});

test('a restore that lacked bytes can be repeated and continues', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const names = [await uploadFile(server, ann, 'one', 'one.txt'), await uploadFile(server, ann, 'two', 'two.txt')];
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup)).toMatchObject({ code: 1, err: '' });
  // It is the same backup, so its rows are kept as they are.
  const again = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toMatch(/^The rows of the backup were already restored, and were not changed\./);
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });
  expect((await holdfastJson(place, 'audit')).map(({ action }) => action)).toEqual(['restore']);
  for (const name of names)
    expect((await holdfastJson(place, 'file', 'show', name))[0]).toMatchObject({ live_files: 1 });

  const other = join(folder, 'tuesday');
  await holdfast(server, 'backup', other);
  expect((await holdfast(place, 'restore', other)).err).toMatch(/The database is not empty/);
});

test('a case without bytes does not fail the check of a restored service', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const down = await uploadFile(server, ann, 'down', 'down.txt');
  await uploadFile(server, ann, 'kept', 'kept.txt');
  await holdfast(server, 'file', 'take-down', down, '--case', 'C-1');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  const withheld = await server.context.db.selectFrom('blobs').select('id').where('held_for', 'is not', null).execute();
  for (const { id } of withheld) await rm(join(pool, blobPath(id)));
  const place = await newPlace();
  expect((await holdfast(place, 'restore', backup, '--blobs', pool)).code).toBe(1);
  const dropped = await holdfast(place, 'restore', backup, '--drop-missing', '--allow', '1', '--yes');
  expect(dropped).toMatchObject({ code: 0 });
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });
});

test('a secret key of another service is not overwritten', async () => {
  await using server = await startServer();
  const backup = join(await newFolder(), 'monday');
  await holdfast(server, 'backup', backup);
  await using second = await startServer();
  await signUpAndIn(second);
  const key = await readFile(join(second.dataDir, 'secret.key'), 'utf8');
  const refused = await holdfast(second, 'restore', backup);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/is not the secret key of the backup/);
  expect(await readFile(join(second.dataDir, 'secret.key'), 'utf8')).toBe(key);
});

test('a restore needs the secret key of the backup, from a variable or a file', async () => {
  const key = { SECRET_KEY: 'a secret key that an operator keeps in a safe' };
  const folder = await newFolder();
  const [inVariable, inFile] = [join(folder, 'variable'), join(folder, 'file')];
  await using server = await startServer();
  await (
    await startHoldfast(server, ['backup', inVariable], key)
  ).ended;
  await (
    await startHoldfast(server, ['backup', inFile])
  ).ended;
  const place = await newPlace();
  const restore = async (backup: string, settings = {}) =>
    (await startHoldfast(place, ['restore', backup], settings)).ended;
  const without = await restore(inVariable);
  expect(without.err).toMatch(/has no secret key: it was in SECRET_KEY when the backup was made\. Set it first\.\n$/);
  const other = await restore(inFile, key);
  expect(other.err).toMatch(
    /^SECRET_KEY is not the secret key of the backup\. Set it to what is in .*secret\.key\.\n$/,
  );
  expect([without.code, other.code]).toEqual([1, 1]);
  expect(await restore(inVariable, key)).toMatchObject({ code: 0, err: '' });
});
