import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@holdfast/contract/src/client.ts';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { newBlobId } from '../../src/engines/blobs/blob-id.ts';
import { hours } from '../../src/lib/clock.ts';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { holdfast, holdfastJson, startHoldfast } from '../harness/holdfast.ts';
import { startServer } from '../harness/start-server.ts';
import { createTestDatabase } from '../harness/test-database.ts';
import { formWith, sendForm, uploadFile } from '../harness/uploads.ts';

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
  expect(made).toMatchObject({ folder: backup, copied: { copied: 2, kept: 0, missing: [] } });
  await ann.byKey.deleteFiles({ body: { files: [after] } });
  expect(await holdfastJson(server, 'backup', backup, '--deletions')).toEqual([{ folder: backup, deletions: 2 }]);

  const place = await newPlace();
  const restored = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(restored.out).toBe('The backup is back. Deletions from after it that were done again: 1.\n');
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
  const other = await newPlace();
  const dropped = await holdfast(other, 'restore', backup, '--drop-missing');
  expect(dropped).toMatchObject({ code: 0 });
  expect(dropped.out).toMatch(/Files without bytes that were deleted: 1/);
  expect(await holdfast(other, 'fsck')).toMatchObject({ code: 0 });
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

test('what a restore would not drop is dropped when it is given again', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  for (let n = 0; n < 101; n += 1) await uploadFile(server, ann, `file ${n}`, 'one.txt');
  const backup = join(await newFolder(), 'monday');
  await holdfast(server, 'backup', backup);
  const place = await newPlace();
  const braked = await holdfast(place, 'restore', backup, '--drop-missing');
  expect(braked).toMatchObject({ code: 1, out: '' });
  expect(braked.err).toMatch(/^It would delete 101 of 101/);
  expect(await holdfast(place, 'restore', backup, '--drop-missing', '--allow', '101')).toMatchObject({ code: 0 });
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });
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
  // Nothing takes them again.
  expect(await second.runJob('scan-pending')).toEqual({ cleared: 0, quarantined: 0 });
  const { status } = await sendForm(second, ann, formWith('down', 'again.txt'));
  expect(status).toBe(200);
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
  await holdfast(server, 'file', 'take-down', down, '--case', 'C-1');
  const backup = join(await newFolder(), 'monday');
  await holdfast(server, 'backup', backup);
  const place = await newPlace();
  expect((await holdfast(place, 'restore', backup)).code).toBe(1);
  expect(await holdfast(place, 'restore', backup, '--drop-missing')).toMatchObject({ code: 0 });
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

test('a backup of a storage that has lost everything says how much, and nothing else', async () => {
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
});

test('a secret key of another service is not written over', async () => {
  await using server = await startServer();
  const backup = join(await newFolder(), 'monday');
  await holdfast(server, 'backup', backup);
  await using second = await startServer();
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
