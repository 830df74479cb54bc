import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@holdfast/contract/src/client.ts';
import { expect, test } from 'vitest';
import { newBlobId } from '../../src/engines/blobs/blob-id.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { holdfast } from '../harness/holdfast.ts';
import { newFolder, newPlace } from '../harness/new-place.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

test('a name with line separators is backed up and restored', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'notes', 'notes.txt');
  // Files uploaded before names were cleaned have such names.
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

test('a partial backup is not overwritten, and the next backup reports it', async () => {
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
    err: `${left} exists: a backup is writing it, or was killed. If none is running, remove it and start again.\n`,
  });
  const next = await holdfast(server, 'backup', join(folder, 'monday'));
  expect(next).toMatchObject({
    code: 0,
    err: `${left} is a backup that was killed, or is still being written. If none runs, remove it.\n`,
  });
  expect((await stat(join(folder, 'monday'))).mode & 0o777).toBe(0o700);
});

test('a missing parent folder stops a backup, and a missing pool stops a restore', async () => {
  await using server = await startServer();
  const folder = await newFolder();
  const none = join(folder, 'none');
  expect(await holdfast(server, 'backup', join(none, 'monday'))).toEqual({
    code: 1,
    out: '',
    err: `There is no folder ${none}. Create it first.\n`,
  });
  const backup = join(folder, 'monday');
  expect((await holdfast(server, 'backup', backup, '--blobs', join(none, 'blobs'))).err).toBe(
    `Could not mkdir ${join(none, 'blobs')}: no such file or directory.\n`,
  );
  expect(await readdir(folder)).toEqual([]);
  expect(await holdfast(server, 'backup', backup)).toMatchObject({ code: 0 });
  expect((await holdfast(await newPlace(), 'restore', backup, '--blobs', none)).err).toBe(
    `Could not access ${none}: no such file or directory.\n`,
  );
  expect(await readdir(folder)).toEqual(['monday']);
});

test('a partial copy of a blob does not affect the next backup', async () => {
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

// Thirty-three thousand look-ups of missing bytes take a while on a busy machine.
test(
  'a backup of a storage that lost everything reports the number of missing blobs',
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
    expect(code).toBe(1);
    expect(out).toContain('33,000 are missing in the storage');
    const named = err.trim().split('\n');
    expect(named).toHaveLength(21);
    expect(named[0]).toMatch(/^Not copied, missing in the storage: [0-9a-f]{32}$/);
    expect(named[20]).toBe('Not copied, missing in the storage: 32,980 others');
  },
);

test('an existing folder is refused, and so is a missing backup', async () => {
  await using server = await startServer();
  const folder = await newFolder();
  const taken = await holdfast(server, 'backup', folder);
  expect(taken).toMatchObject({ code: 1, out: '' });
  expect(taken.err).toMatch(/already exists\. A backup needs a new folder\.\n$/);
  expect(await readdir(folder)).toEqual([]);
  expect((await holdfast(server, 'backup', join(folder, 'none'), '--deletions')).err).toMatch(
    /is not a backup manifest/,
  );
  expect((await holdfast(await newPlace(), 'restore', join(folder, 'none'))).err).toMatch(/is not a backup manifest/);
  expect((await holdfast(server, 'backup')).code).toBe(2);
});
