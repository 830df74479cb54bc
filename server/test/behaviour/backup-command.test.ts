import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createClient } from '@holdfast/contract/src/client.ts';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { blobPath, newBlobId } from '../../src/engines/blobs/blob-id.ts';
import type { BlobId } from '../../src/engines/blobs/blobs.ts';
import { days, hours } from '../../src/lib/clock.ts';
import { readLines } from '../../src/maintenance/backup/lines-file.ts';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { holdfast, holdfastJson, startHoldfast } from '../harness/holdfast.ts';
import { startServer } from '../harness/start-server.ts';
import { createTestDatabase } from '../harness/test-database.ts';
import { blobsOnDisk, formWith, sendForm, sha256, uploadFile } from '../harness/uploads.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-drill-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Where nothing is yet: a data folder and an empty database. */
async function newPlace() {
  const dataDir = await newFolder();
  const database = await createTestDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const environment = { DATA_DIR: dataDir, ...(database.url !== null && { DATABASE_URL: database.url }) };
  return { dataDir, environment, context: { config: readConfig(environment) } };
}

test('the drill: back up while it serves, delete on, lose everything, restore, and go on', async () => {
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
  expect(restored.out).toBe('The backup is back. Deletions and changes from after it that were done again: 1.\n');
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });

  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${kept}`)).text).toBe('kept');
  for (const gone of [before, after]) expect((await call(second, `/file/${gone}`)).status).toBe(404);
  // The key is sealed with the secret that came along.
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

test('bytes that are nowhere are counted and keep the restore from being fine, until they are dropped', async () => {
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

test('dropping asks, stops where nothing or too little was found, and is undone when the bytes come', async () => {
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
  // Nothing at all is there: these bytes are somewhere else, whatever the operator allows.
  for (const more of [[], ['--yes'], ['--yes', '--allow', '100']])
    expect(await drop(...more)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^None of the 9 blobs/) });
  // Half of them.
  const paths = (await readFile(join(backup, 'blobs.txt'), 'utf8')).trim().split('\n');
  for (const path of paths.slice(0, 5)) await cp(join(pool, path), join(half, path), { recursive: true });
  expect(await drop('--yes', '--blobs', half)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^It would delete 4 of 9/),
  });
  const unasked = await drop('--allow', '4');
  expect(unasked).toMatchObject({ code: 2, out: '' });
  expect(unasked.err).toMatch(
    /^4 blobs of 9 are missing\. The files that need them are deleted\. Nobody can be asked here: add --yes/,
  );
  expect(await holdfastJson(place, 'stats')).toMatchObject([{ files: { live: 8 } }]);
  const dropped = await drop('--yes', '--allow', '4');
  expect(dropped).toMatchObject({ code: 0, err: '' });
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });
  const [{ files }] = (await holdfastJson(place, 'stats')) as [{ files: { live: number } }];
  expect(files.live).toBeLessThan(8);

  // The bytes were in the other folder all along.
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
});

test('what was dropped and is blocked since is withheld when its bytes come, and keeps nothing else from coming', async () => {
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
  const path = blobPath(blob_id as BlobId);
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

test('days of disuse begin anew when a later restore brings the bytes', async () => {
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
  await db.updateTable('outages').set({ ended_at: ago }).execute();
  await db.updateTable('service_facts').set({ at: ago }).where('name', '=', 'restored').execute();
  await db
    .updateTable('files')
    .set({ uploaded_at: ago - days(1) })
    .execute();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  expect(await holdfastJson(place, 'jobs', 'run', 'auto-delete')).toMatchObject([{ files: 0 }]);
  expect((await call(second, `/file/${name}`)).text).toBe('kept');
});

test('a restore that is given again says that it does not apply another list, and what comes too late', async () => {
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
  expect(again.out).toContain('is another than the one of the first restore, and was not applied');
  await rm(join(backup, 'deletions.jsonl.gz'));
  await using second = await startServer(place.environment);
  second.clock.advance(days(2));
  await second.runJob('purge');
  const late = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(late).toMatchObject({ code: 1, err: '' });
  expect(late.out).toContain('dropped too long ago to be brought back here, although their bytes are there: 1.');
});

test('a name with the separators of lines is backed up and comes back', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'notes', 'notes.txt');
  // As files have them that were uploaded before names were cleaned of them.
  const odd = 'notes\u2028part\u2029two\u0085.txt';
  await server.context.db.updateTable('files').set({ original_name: odd }).where('name', '=', name).execute();
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  expect(await holdfast(server, 'backup', backup, '--blobs', pool)).toMatchObject({ code: 0 });
  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  expect(await holdfast(place, 'fsck', '--scrub')).toMatchObject({ code: 0 });
  await using second = await startServer(place.environment);
  const client = createClient(fetch, { origin: second.url, apiKey: ann.apiKey });
  expect((await client.getFileList({ query: {} })).files).toMatchObject([{ name, original_name: odd }]);
});

test('bytes that changed in the folder of the backup do not come back as if they were whole', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const [good, bad] = [await uploadFile(server, ann, 'good', 'a.txt'), await uploadFile(server, ann, 'bad', 'b.txt')];
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  const files = server.context.db.selectFrom('files').select('blob_id').where('name', '=', bad);
  const path = join(pool, blobPath((await files.executeTakeFirstOrThrow()).blob_id as BlobId));
  await writeFile(path, 'bat');
  const place = await newPlace();
  const restored = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(restored).toMatchObject({ code: 1, err: '' });
  expect(restored.out).toMatch(/Blobs that are damaged in the folder of the backup, and were not copied: 1\./);
  expect((await holdfast(place, 'fsck')).out).toMatch(/^bytes-missing: /);
  // Dropping is about bytes that are gone, and these are there to be mended.
  expect(await holdfast(place, 'restore', backup, '--blobs', pool, '--drop-missing', '--yes')).toMatchObject({
    code: 1,
  });
  expect(await holdfastJson(place, 'stats')).toMatchObject([{ files: { live: 2 } }]);
  await writeFile(path, 'bad');
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0 });
  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${good}`)).text).toBe('good');
  expect((await call(second, `/file/${bad}`)).text).toBe('bad');

  // Nor do they get into a backup.
  await writeFile(
    join(server.dataDir, 'blobs', blobPath((await files.executeTakeFirstOrThrow()).blob_id as BlobId)),
    'bat',
  );
  const made = await holdfast(server, 'backup', join(folder, 'tuesday'), '--blobs', join(folder, 'other'));
  expect(made.code).toBe(1);
  expect(made.out).toMatch(/1 are damaged in the storage and were not copied: run holdfast fsck --scrub\./);
});

test('keys, passwords, verifications, plans, settings and favorites of after the backup stand after the restore', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'kept', 'kept.txt');
  await ann.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 3 } });
  const bob = openBrowser(server);
  await bob.client.createAccount({
    body: { email: 'bob@example.com', password: goodPassword, password2: goodPassword },
  });
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  server.clock.advance(hours(2));
  await bob.client
    .verifyEmail({ body: { code: await server.mail.newestSecretFor('bob@example.com') } })
    .catch(() => {});
  await holdfast(server, 'account', 'verify', 'bob@example.com');
  await holdfast(server, 'account', 'set-plan', ann.email, 'advanced');
  const { account_info } = await ann.browser.client.changeApiKey();
  const newPassword = 'Another-Horse-8';
  await ann.browser.client.changePassword({ body: { old_password: goodPassword, new_password: newPassword } });
  await ann.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 0 } });
  await ann.browser.client.toggleFavorite({ body: { file: name } });
  await holdfast(server, 'backup', backup, '--deletions');

  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  await using second = await startServer(place.environment);
  const withKey = async (key: string) =>
    (await call(second, '/api/v3/rest/get-account-info', { headers: { 'X-API-Key': key } })).status;
  expect([await withKey(ann.apiKey), await withKey(account_info.new_api_key)]).toEqual([401, 200]);
  const signIn = (email: string, password: string) =>
    openBrowser(second)
      .client.login({ body: { email, password } })
      .then(
        () => 'in',
        (error: unknown) => (error as Error).message,
      );
  expect(await signIn(ann.email, goodPassword)).not.toBe('in');
  expect(await signIn(ann.email, newPassword)).toBe('in');
  expect(await signIn('bob@example.com', goodPassword)).toBe('in');
  const client = createClient(fetch, { origin: second.url, apiKey: account_info.new_api_key });
  expect((await client.getAccountInfo()).account.info).toMatchObject({
    level: 'Advanced',
    api_key: account_info.new_api_key,
  });
  expect((await client.getAccountSettings()).account.settings.inactivity_auto_delete_days).toBe(0);
  expect((await client.getFileList({ query: {} })).files).toMatchObject([{ name, is_favorite: true }]);
});

test('what was discarded after the backup is not copied back, and nobody restores it', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'must be destroyed', 'court.txt');
  const kept = await uploadFile(server, ann, 'kept', 'kept.txt');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  await holdfast(server, 'file', 'take-down', name, '--case', 'COURT-1');
  expect(await holdfast(server, 'file', 'discard', name, '--yes')).toMatchObject({ code: 0 });
  await holdfast(server, 'backup', backup, '--deletions');
  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  expect(await holdfast(place, 'fsck', '--scrub')).toMatchObject({ code: 0 });
  expect(await holdfast(place, 'file', 'restore', name)).toMatchObject({ code: 1 });
  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${name}`)).status).toBe(404);
  expect((await call(second, `/file/${kept}`)).text).toBe('kept');
  expect(await blobsOnDisk(place)).toHaveLength(1);
  expect((await sendForm(second, ann, formWith('must be destroyed', 'again.txt'))).status).toBe(422);
  // A backup of what was restored says it too.
  expect(await holdfast(second, 'backup', join(folder, 'tuesday'))).toMatchObject({ code: 0 });
  const third = await newPlace();
  await holdfast(third, 'restore', join(folder, 'tuesday'), '--blobs', pool);
  await using last = await startServer(third.environment);
  expect(await last.context.db.selectFrom('discarded_digests').select('sha256').execute()).toHaveLength(1);
});

test('a database that was only migrated is restored into, and keeps the lines of its own log', async () => {
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
  // The key that was made for the empty database is set aside, and the backup's seals and unseals.
  expect(await readdir(place.dataDir)).toContain('secret.key.before-restore');
  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${name}`)).text).toBe('kept');
  const browser = openBrowser(second);
  await browser.client.login({ body: { email: ann.email, password: goodPassword } });
  expect((await browser.client.getAccountInfo()).account.info.api_key).toBe(ann.apiKey);
});

test('a backup of the version before this one can be restored', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'kept', 'kept.txt');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  await asBefore(backup);
  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  expect(await holdfast(place, 'fsck', '--scrub')).toMatchObject({ code: 0 });
  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${name}`)).text).toBe('kept');
  // One that is older still needs its own version.
  const path = join(backup, 'manifest.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('0013-what-the-purge-finds', '0012-deletions'));
  expect((await holdfast(await newPlace(), 'restore', backup)).err).toMatch(/^The backup was taken at 0012-deletions/);
});

/** Without the tables and columns that came with migration 0014, and with names as they were written then. */
async function asBefore(backup: string): Promise<void> {
  const later = ['returned_at', 'favorite_since', 'changed_at', 'unknown_since'];
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
    }
    const bytes = gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await writeFile(path, bytes);
    facts.sha256 = sha256(bytes);
  }
  delete manifest.tables['discarded_digests'];
  await rm(join(backup, 'discarded_digests.jsonl.gz'));
  const before = { ...manifest, service: undefined, migration: '0013-what-the-purge-finds.sql' };
  await writeFile(join(backup, 'manifest.json'), JSON.stringify(before));
}

test('a storage of another service is neither restored into nor swept', async () => {
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
  expect(await blobsOnDisk(other)).toHaveLength(1);
  // An empty database, and one with rows of its own, on the storage of another: nothing of it is touched.
  await holdfast(place, 'migrate');
  for (const at of [place, server]) {
    const swept = await (await startHoldfast(at, ['jobs', 'run', 'sweep-strays'], foreign)).ended;
    expect(swept).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('The storage belongs to the service'),
    });
  }
  // A storage that has been marked and holds nothing yet becomes the restored service's.
  await using empty = await startServer();
  await empty.runJob('sweep-strays');
  const fresh = { BLOBS_URL: `file:${join(empty.dataDir, 'blobs')}` };
  expect(await (await startHoldfast(place, ['restore', backup, '--blobs', pool], fresh)).ended).toMatchObject({
    code: 0,
  });
  expect(await (await startHoldfast(place, ['jobs', 'run', 'sweep-strays'], fresh)).ended).toMatchObject({ code: 0 });
});

test('a restore that lacks bytes is given again, and goes on where it was', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const names = [await uploadFile(server, ann, 'one', 'one.txt'), await uploadFile(server, ann, 'two', 'two.txt')];
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup)).toMatchObject({ code: 1, err: '' });
  // It is the same backup, so its rows stay as they are.
  const again = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toMatch(/^The rows of the backup were back before, and were left alone\./);
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });
  expect((await holdfastJson(place, 'audit')).map(({ action }) => action)).toEqual(['restore']);
  for (const name of names)
    expect((await holdfastJson(place, 'file', 'show', name))[0]).toMatchObject({ live_files: 1 });

  const other = join(folder, 'tuesday');
  await holdfast(server, 'backup', other);
  expect((await holdfast(place, 'restore', other)).err).toMatch(/The database is not empty/);
});

test('what was withheld after the backup is withheld by the restore, for the same cases, and can come back', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const down = await uploadFile(server, ann, 'down', 'down.txt');
  const bad = await uploadFile(server, ann, 'bad', 'bad.txt');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  const late = await signUpAndIn(server);
  await uploadFile(server, late, 'down', 'the same bytes.txt');
  await holdfast(server, 'file', 'take-down', down, '--case', 'C-1');
  await holdfast(server, 'file', 'quarantine', bad, '--because', 'evil');
  await holdfast(server, 'backup', backup, '--deletions');

  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0 });
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });
  expect((await holdfastJson(place, 'account', 'show', ann.email))[0]).toMatchObject({ cases: ['C-1'] });
  await using second = await startServer(place.environment);
  const client = createClient(fetch, { origin: second.url, apiKey: ann.apiKey });
  expect((await client.getFileList({ query: {} })).pagination.total_files).toBe(0);
  const told = await second.context.db.selectFrom('activity').select(['event', 'name']).orderBy('event').execute();
  expect(told).toEqual([
    { event: 'malware', name: bad },
    { event: 'takedown', name: down },
  ]);
  for (const name of [down, bad]) expect(await holdfast(place, 'file', 'restore', name)).toMatchObject({ code: 0 });
  expect((await call(second, `/file/${down}`)).text).toBe('down');
  expect((await call(second, `/file/${bad}`)).text).toBe('bad');
});

test('what was given back after the backup is given back by the restore, and its case stays closed', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const down = await uploadFile(server, ann, 'down', 'down.txt');
  const alarm = await uploadFile(server, ann, 'false alarm', 'alarm.txt');
  const bad = await uploadFile(server, ann, 'bad', 'bad.txt');
  await holdfast(server, 'file', 'take-down', down, '--case', 'C-1');
  for (const name of [alarm, bad]) await holdfast(server, 'file', 'quarantine', name, '--because', 'evil');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  server.clock.advance(hours(1));
  for (const name of [down, alarm, bad]) await holdfast(server, 'file', 'restore', name);
  // And one that is withheld again.
  await holdfast(server, 'file', 'quarantine', bad, '--because', 'evil after all');
  await holdfast(server, 'backup', backup, '--deletions');

  const place = await newPlace();
  const restored = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });
  expect((await holdfastJson(place, 'account', 'show', ann.email))[0]).toMatchObject({ cases: [], slots_used: 2 });
  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${down}`)).text).toBe('down');
  expect((await call(second, `/file/${alarm}`)).text).toBe('false alarm');
  expect((await call(second, `/file/${bad}`)).status).toBe(404);
  const told = second.context.db.selectFrom('activity').select('name').where('event', '=', 'restored');
  expect((await told.execute()).map(({ name }) => name).toSorted()).toEqual([down, alarm].toSorted());
  // Their days of auto-delete begin anew.
  const back = second.context.db
    .selectFrom('files')
    .select('name')
    .where('returned_at', '>', server.clock.now() - days(1));
  expect((await back.execute()).map(({ name }) => name).toSorted()).toEqual([down, alarm].toSorted());
  // Nothing takes them again.
  expect(await second.runJob('scan-pending')).toEqual({ cleared: 0, quarantined: 0 });
  const { status } = await sendForm(second, ann, formWith('down', 'again.txt'));
  expect(status).toBe(200);
});

test('bytes that were given back and then deleted are free after the restore, and nobody has a file of them', async () => {
  await using server = await startServer();
  const [ann, bob, cid] = [await signUpAndIn(server), await signUpAndIn(server), await signUpAndIn(server)];
  const down = await uploadFile(server, ann, 'down', 'down.txt');
  const alarm = await uploadFile(server, bob, 'false alarm', 'alarm.txt');
  const closing = await uploadFile(server, cid, 'closing', 'closing.txt');
  await holdfast(server, 'file', 'take-down', down, '--case', 'C-1');
  for (const name of [alarm, closing]) await holdfast(server, 'file', 'quarantine', name, '--because', 'evil');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  for (const name of [down, alarm, closing]) await holdfast(server, 'file', 'restore', name);
  await ann.byKey.deleteFiles({ body: { files: [down] } });
  await bob.byKey.deleteFiles({ body: { files: [alarm] } });
  // As while the files of a closed account are still on their way out.
  await server.context.db
    .updateTable('accounts')
    .set({ closed_at: Date.now() })
    .where('email', '=', cid.email)
    .execute();
  await holdfast(server, 'backup', backup, '--deletions');

  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0, out: expect.stringContaining('all is well') });
  await using second = await startServer(place.environment);
  for (const name of [down, alarm, closing]) expect((await call(second, `/file/${name}`)).status).toBe(404);
  for (const bytes of ['down', 'false alarm', 'closing'])
    expect(await sendForm(second, ann, formWith(bytes, 'again.txt'))).toMatchObject({ status: 200 });
  const { db } = second.context;
  expect(await db.selectFrom('blobs').select('id').where('held_for', 'is not', null).execute()).toEqual([]);
});

test('a backup that was killed is not written over, and the next one tells of it', async () => {
  await using server = await startServer();
  const folder = await newFolder();
  const left = join(folder, 'sunday.part');
  await mkdir(left, { mode: 0o700 });
  await writeFile(join(left, 'blobs.txt'), '');
  await mkdir(join(folder, 'other.part'));
  const again = await holdfast(server, 'backup', join(folder, 'sunday'));
  expect(again).toEqual({
    code: 1,
    out: '',
    err: `${left} is there: a backup is writing it, or was killed. If none runs, remove it and begin again.\n`,
  });
  const next = await holdfast(server, 'backup', join(folder, 'monday'));
  expect(next).toMatchObject({
    code: 0,
    err: `${left} is a backup that was killed, or is still being written. If none runs, remove it.\n`,
  });
  expect((await stat(join(folder, 'monday'))).mode & 0o777).toBe(0o700);
});

test('a folder around it that is not there stops a backup, and a pool that is not there a restore', async () => {
  await using server = await startServer();
  const folder = await newFolder();
  const none = join(folder, 'none');
  expect(await holdfast(server, 'backup', join(none, 'monday'))).toEqual({
    code: 1,
    out: '',
    err: `There is no folder ${none}. Make it first.\n`,
  });
  const backup = join(folder, 'monday');
  expect((await holdfast(server, 'backup', backup, '--blobs', join(none, 'blobs'))).err).toBe(
    `Could not mkdir ${join(none, 'blobs')}: no such file or directory.\n`,
  );
  expect((await holdfast(await newPlace(), 'restore', backup, '--blobs', none)).err).toBe(
    `Could not access ${none}: no such file or directory.\n`,
  );
  expect(await readdir(folder)).toEqual(['monday']);
});

test('a case whose bytes are nowhere any more does not keep a restored service from being whole', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const down = await uploadFile(server, ann, 'down', 'down.txt');
  await uploadFile(server, ann, 'kept', 'kept.txt');
  await holdfast(server, 'file', 'take-down', down, '--case', 'C-1');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  const withheld = await server.context.db.selectFrom('blobs').select('id').where('held_for', 'is not', null).execute();
  for (const { id } of withheld) await rm(join(pool, blobPath(id as BlobId)));
  const place = await newPlace();
  expect((await holdfast(place, 'restore', backup, '--blobs', pool)).code).toBe(1);
  const dropped = await holdfast(place, 'restore', backup, '--drop-missing', '--allow', '1', '--yes');
  expect(dropped).toMatchObject({ code: 0 });
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });
});

test('a copy that was killed in the middle of a blob is no hindrance to the next one', async () => {
  await using server = await startServer();
  const name = await uploadFile(server, await signUpAndIn(server), 'one', 'one.txt');
  const files = server.context.db.selectFrom('files').select('blob_id').where('name', '=', name);
  const { blob_id } = await files.executeTakeFirstOrThrow();
  const folder = await newFolder();
  const temp = join(folder, 'blobs', 'tmp');
  await mkdir(temp, { recursive: true });
  await writeFile(join(temp, blob_id), 'o');
  const made = await holdfast(server, 'backup', join(folder, 'monday'), '--blobs', join(folder, 'blobs'));
  expect(made).toMatchObject({ code: 0, err: '' });
});

// Thirty-three thousand look-ups of bytes that are not there take a while on a busy machine.
test(
  'a backup of a storage that has lost everything says how much, and nothing else',
  { timeout: 90_000 },
  async () => {
    await using server = await startServer();
    const { db } = server.context;
    const blobs = 33_000;
    for (let from = 0; from < blobs; from += 500) {
      const ids = Array.from({ length: 500 }, () => newBlobId());
      const facts = { size: 1, used_by: 1, unused_since: null, created_at: 1 };
      await db
        .insertInto('blobs')
        .values(ids.map((id) => ({ id, sha256: id + id, ...facts })))
        .execute();
    }
    const folder = await newFolder();
    const { code, out, err } = await holdfast(server, 'backup', join(folder, 'a'), '--blobs', join(folder, 'blobs'));
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toContain('33,000 are missing in the storage');
  },
);

test('a secret key of another service is not written over', async () => {
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

test('a restore needs the secret key of the backup, wherever it was kept', async () => {
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

test('a folder that is there is refused in one sentence, and a missing backup as well', async () => {
  await using server = await startServer();
  const folder = await newFolder();
  const taken = await holdfast(server, 'backup', folder);
  expect(taken).toMatchObject({ code: 1, out: '' });
  expect(taken.err).toMatch(/is there already\. A backup needs a new folder\.\n$/);
  expect(await readdir(folder)).toEqual([]);
  expect((await holdfast(server, 'backup', join(folder, 'none'), '--deletions')).err).toMatch(
    /is no manifest of a backup/,
  );
  expect((await holdfast(await newPlace(), 'restore', join(folder, 'none'))).err).toMatch(/is no manifest of a backup/);
  expect((await holdfast(server, 'backup')).code).toBe(2);
});
