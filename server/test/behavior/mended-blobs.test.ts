/** An upload of bytes whose stored copy is missing or of the wrong size repairs it. */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type BlobId, BlobsUnavailable } from '../../src/storage/blobs/blobs.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { download, formWith, sendForm, sha256, uploadFile } from '../harness/uploads.ts';
import { type StoredBytes, onlyStored, resize, storedNames } from '../harness/stored-bytes.ts';
import { test } from '../harness/server-test.ts';

const alarms = ({ log }: TestServer) => log.filter((line) => line.includes('ALARM'));

const damages = {
  missing: (stored: StoredBytes) => stored.remove(),
  short: (stored: StoredBytes) => resize(stored, 999),
  'too long': (stored: StoredBytes) => resize(stored, 700_001),
};

test.each(Object.keys(damages) as (keyof typeof damages)[])(
  'bytes that are %s are repaired for every file by an upload of the same bytes',
  async (kind) => {
    await using server = await startServer();
    const [one, other] = [await signUpAndIn(server), await signUpAndIn(server)];
    const bytes = new Uint8Array(randomBytes(1_000));
    const names = [await uploadFile(server, one, bytes)];
    await damages[kind](await onlyStored(server));
    // The damaged bytes may be in memory by now.
    await download(server, names[0] ?? '');
    const before = alarms(server).length;
    names.push(await uploadFile(server, other, bytes));
    for (const name of names) expect(await download(server, name)).toBe(sha256(bytes));
    expect(await storedNames(server)).toHaveLength(1);
    expect(alarms(server)).toHaveLength(before + 1);
  },
);

test('intact bytes are kept in place', async ({ server, account }) => {
  for (const size of [0, 1, 1_000, 3_000_000]) {
    const bytes = new Uint8Array(randomBytes(size));
    await uploadFile(server, account, bytes, 'first.txt');
    const before = await versions(server);
    await uploadFile(server, account, bytes, 'second.txt');
    expect(await versions(server)).toEqual(before);
  }
  expect(alarms(server)).toEqual([]);
});

test('while nobody knows whether equal bytes are whole, an upload is refused and leaves nothing', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  await uploadFile(server, account, 'kelp', 'first.txt');
  const { blobs, db } = server.context;
  const size = blobs.size.bind(blobs);
  Object.assign(blobs, { size: () => Promise.reject(new BlobsUnavailable('away')) });
  expect(await sendForm(server, account, formWith('kelp', 'second.txt'))).toMatchObject({ status: 503 });
  Object.assign(blobs, { size });
  expect(await db.selectFrom('files').select('original_name').execute()).toEqual([{ original_name: 'first.txt' }]);
  expect(await storedNames(server)).toHaveLength(1);
});

test('while the storage is slow to tell whether equal bytes are whole, others upload', async () => {
  await using server = await startServer();
  const [one, other] = [await signUpAndIn(server), await signUpAndIn(server)];
  await uploadFile(server, one, 'kelp', 'first.txt');
  const { blobs } = server.context;
  const size = blobs.size.bind(blobs);
  const asked = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  Object.assign(blobs, { size: async (id: BlobId) => (asked.resolve(), await told.promise, size(id)) });
  const second = uploadFile(server, one, 'kelp', 'second.txt');
  await asked.promise;
  await uploadFile(server, other, 'dulse');
  told.resolve();
  expect(await download(server, await second)).toBe(sha256('kelp'));
});

test('if the repaired blob is removed before the row of the upload is there, the upload is refused', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  await uploadFile(server, account, 'kelp');
  await (await onlyStored(server)).remove();
  const { blobs, db } = server.context;
  const replace = blobs.replace.bind(blobs);
  const replaceAndPurge: typeof replace = async (from, to) => {
    await replace(from, to);
    await db.deleteFrom('files').execute();
    await db.deleteFrom('blobs').execute();
    await blobs.remove(to);
  };
  Object.assign(blobs, { replace: replaceAndPurge });
  expect(await sendForm(server, account, formWith('kelp'))).toMatchObject({ status: 503 });
  expect(await db.selectFrom('files').select('name').execute()).toEqual([]);
});

async function versions({ context: { blobs } }: TestServer): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of blobs.list()) {
    await using reader = await blobs.open(id, 0, 0);
    found.push(reader.version);
  }
  return found;
}
