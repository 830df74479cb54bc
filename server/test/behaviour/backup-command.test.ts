import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@holdfast/contract/src/client.ts';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { holdfast, holdfastJson } from '../harness/holdfast.ts';
import { startServer } from '../harness/start-server.ts';
import { createTestDatabase } from '../harness/test-database.ts';
import { uploadFile } from '../harness/uploads.ts';

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
  expect((await holdfast(server, 'backup')).code).toBe(2);
});
