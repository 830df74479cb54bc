/** The drill with one fault at a time: each is rejected or named before anything is deleted. */
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { blobPath } from '../../server/src/engines/blobs/blob-id.ts';
import type { BlobId } from '../../server/src/engines/blobs/blobs.ts';
import { hours } from '../../server/src/lib/clock.ts';
import { holdfast, holdfastJson, startHoldfast } from '../../server/test/harness/holdfast.ts';
import { startServer, type TestServer } from '../../server/test/harness/start-server.ts';
import { sha256 } from '../../server/test/harness/uploads.ts';
import { deleteAs, newPerson, uploadAs } from './people.ts';
import { newFolder, newPlace } from '../../server/test/harness/new-place.ts';
import { ageBytes, flipByte, storedNamed, storedNames } from '../../server/test/harness/stored-bytes.ts';
import { blobSettings } from '../../server/test/harness/test-blobs.ts';

const files = 30;

/** A small service, its backup, and a place to restore into. */
async function prepare() {
  const owner = new AsyncDisposableStack();
  onTestFinished(() => owner.disposeAsync());
  const server = owner.use(await startServer());
  const person = await newPerson(server);
  for (let n = 0; n < files; n += 1) await uploadAs(server, person, `file ${n}`);
  // As at the start of the service: the storage is marked as its own.
  await server.runJob('sweep-strays');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  const made = await holdfast(server, 'backup', backup, '--blobs', pool);
  expect(made).toMatchObject({ code: 0, err: '' });
  const place = await newPlace();
  const [first] = await readIds(backup);
  if (!first) throw new Error('the backup needs no blob');
  return { owner, server, person, backup, pool, place, first, blob: join(pool, blobPath(first)) };
}

/** The ids of the blobs that a backup needs. Its list has their places in the storage. */
const readIds = async (backup: string) =>
  (await readFile(join(backup, 'blobs.txt'), 'utf8'))
    .trim()
    .split('\n')
    .map((path) => basename(path) as BlobId);

/** The settings of the storage of a server, for another service. */
const storageOf = ({ dataDir, context }: TestServer): Readonly<Record<string, string>> => ({
  BLOBS_URL: `file:${join(dataDir, 'blobs')}`,
  ...blobSettings(context.config.blobs),
});

const liveFiles = async (at: Parameters<typeof holdfastJson>[0]) =>
  ((await holdfastJson(at, 'stats'))[0] as { files: { live: number } }).files.live;

/** Expects that the service of the backup is intact, whatever was tried beside it. */
async function expectUntouched(server: TestServer): Promise<void> {
  expect(await liveFiles(server)).toBe(files);
  expect(await storedNames(server)).toHaveLength(files);
}

test('a flipped byte in the backup: the blob is named and not copied, and no file is dropped', async () => {
  const { server, backup, pool, place, blob } = await prepare();
  const bytes = await readFile(blob);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await writeFile(blob, bytes);
  const restored = await holdfast(
    place,
    'restore',
    backup,
    '--blobs',
    pool,
    '--drop-missing',
    '--yes',
    '--allow',
    '100',
  );
  expect(restored).toMatchObject({
    code: 1,
    err: '',
    out: expect.stringContaining('damaged in the folder of the backup'),
  });
  expect(await liveFiles(place)).toBe(files);
  expect(await holdfast(place, 'fsck', '--scrub')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^bytes-missing/),
  });
  await expectUntouched(server);
});

test('a flipped byte in the storage: the backup names it and keeps the intact copy', async () => {
  const { server, pool, first, blob } = await prepare();
  const stored = await storedNamed(server, first);
  const whole = await stored.read();
  await flipByte(stored);
  const fresh = join(pool, '..', 'fresh');
  const again = await holdfast(server, 'backup', join(pool, '..', 'tuesday'), '--blobs', fresh);
  expect(again).toMatchObject({ code: 1, out: expect.stringContaining('1 are damaged in the storage') });
  expect(await holdfast(server, 'backup', join(pool, '..', 'wednesday'), '--blobs', pool)).toMatchObject({ code: 0 });
  expect(await readFile(blob)).toEqual(whole);
});

test('a missing blob is counted, and its file is dropped only after a confirmation', async () => {
  const { server, backup, pool, place, blob } = await prepare();
  await rm(blob);
  const restored = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(restored).toMatchObject({ code: 1, err: '', out: expect.stringContaining('Blobs that are missing: 1.') });
  const drop = ['restore', backup, '--blobs', pool, '--drop-missing'];
  expect(await holdfast(place, ...drop)).toMatchObject({ code: 2, err: expect.stringContaining('add --yes') });
  expect(await liveFiles(place)).toBe(files);
  await expectUntouched(server);
});

test.each(['files', 'accounts', 'blobs', 'takedowns'])(
  'the table %s is truncated: nothing is restored',
  async (table) => {
    const { server, backup, pool, place } = await prepare();
    const path = join(backup, `${table}.jsonl.gz`);
    await truncate(path, Math.floor((await readFile(path)).length / 2));
    const refused = await holdfast(place, 'restore', backup, '--blobs', pool);
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`${table}.jsonl.gz is damaged`) });
    expect(await holdfastJson(place, 'stats')).toMatchObject([{ accounts: { open: 0 }, files: { live: 0 } }]);
    await expectUntouched(server);
  },
);

test('a table was truncated before its digest was taken: nothing is restored', async () => {
  const { backup, pool, place } = await prepare();
  const path = join(backup, 'files.jsonl.gz');
  await truncate(path, Math.floor((await readFile(path)).length / 2));
  const manifest = await readFile(join(backup, 'manifest.json'), 'utf8');
  const { tables } = JSON.parse(manifest) as { tables: { files: { sha256: string } } };
  await writeFile(join(backup, 'manifest.json'), manifest.replace(tables.files.sha256, sha256(await readFile(path))));
  const refused = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('files.jsonl.gz') });
  expect(await holdfastJson(place, 'stats')).toMatchObject([{ accounts: { open: 0 }, files: { live: 0 } }]);
});

test('the list of deletions is truncated: nothing is restored', async () => {
  const { server, person, backup, pool, place } = await prepare();
  const [file] = person.files;
  if (file) await deleteAs(server, person, [file]);
  expect(await holdfast(server, 'backup', backup, '--deletions')).toMatchObject({ code: 0 });
  const path = join(backup, 'deletions.jsonl.gz');
  await truncate(path, Math.floor((await readFile(path)).length / 2));
  const refused = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(refused).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('deletions.jsonl.gz cannot be read'),
  });
  expect(await holdfastJson(place, 'stats')).toMatchObject([{ accounts: { open: 0 }, files: { live: 0 } }]);
});

test('the storage of another service is changed neither by a restore nor by a sweep', async () => {
  const { owner, server, backup, pool, place } = await prepare();
  const other = owner.use(await startServer());
  const theirs = await newPerson(other);
  for (let n = 0; n < files; n += 1) await uploadAs(other, theirs, `theirs ${n}`);
  await other.runJob('sweep-strays');
  await ageBytes(other, hours(48));
  const foreign = storageOf(other);
  const refused = await (await startHoldfast(place, ['restore', backup, '--blobs', pool], foreign)).ended;
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('belongs to the service') });
  for (const at of [server, place]) {
    const swept = await (await startHoldfast(at, ['jobs', 'run', 'sweep-strays'], foreign)).ended;
    expect(swept).toMatchObject({ code: 1, out: '', err: expect.stringContaining('belongs to the service') });
    const checked = await (await startHoldfast(at, ['fsck', '--repair'], foreign)).ended;
    expect(checked).toMatchObject({ code: 1, out: expect.stringContaining('other-storage') });
  }
  expect(await storedNames(other)).toHaveLength(files);
  expect(await liveFiles(other)).toBe(files);
});

test('an empty database beside a full storage: nothing is swept, and a restore completes it', async () => {
  const { server, backup, place } = await prepare();
  await ageBytes(server, hours(48));
  const kept = storageOf(server);
  const at = async (...args: string[]) => (await startHoldfast(place, args, kept)).ended;
  expect(await at('migrate')).toMatchObject({ code: 0 });
  expect(await at('jobs', 'run', 'sweep-strays')).toMatchObject({ code: 1, out: '' });
  expect(await at('fsck', '--repair')).toMatchObject({ code: 1, out: expect.stringContaining('other-storage') });
  expect(await storedNames(server)).toHaveLength(files);
  // The storage belongs to the service of the backup, and its bytes are all there.
  expect(await at('restore', backup)).toMatchObject({ code: 0, err: '' });
  expect(await at('fsck', '--scrub')).toMatchObject({ code: 0 });
  expect(await at('jobs', 'run', 'sweep-strays')).toMatchObject({ code: 0 });
  expect(await storedNames(server)).toHaveLength(files);
});

test('an empty storage: a restore names the missing blobs and drops no file', async () => {
  const { backup, place, pool } = await prepare();
  const refused = await holdfast(place, 'restore', backup, '--drop-missing', '--yes', '--allow', '1000');
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^None of the 30 blobs/) });
  expect(await liveFiles(place)).toBe(files);
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
});

test('a damaged blob in the storage is moved aside by a scrub and replaced from the backup', async () => {
  const { server, person, backup, pool } = await prepare();
  const [file] = person.files;
  if (!file) throw new Error('nothing was uploaded');
  const row = server.context.db.selectFrom('files').select('blob_id').where('name', '=', file.name);
  const id = (await row.executeTakeFirstOrThrow()).blob_id;
  const stored = await storedNamed(server, id);
  await flipByte(stored);
  expect(await holdfast(server, 'fsck', '--scrub')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^bytes-damaged/),
  });
  // The rows of the backup are this database's own, so only the bytes are copied.
  await stored.write(await readFile(join(pool, blobPath(id))));
  expect(await holdfast(server, 'fsck', '--scrub')).toMatchObject({ code: 0 });
  expect(await readIds(backup)).toHaveLength(files);
});
