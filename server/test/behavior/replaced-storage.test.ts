/** The disk of the stored bytes is unmounted or mounted while the server runs. Its folder is replaced, as a mount does. */
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { createReadiness } from '../../src/monitoring/readiness.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { beforeTransactions } from '../harness/before-transactions.ts';
import { newFolder } from '../harness/new-place.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { bytesAreOnS3 } from '../harness/test-blobs.ts';
import { fileUrl, formWith, sendForm, uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

const noMount = 'Nothing is mounted in the place of a bucket.';

async function openSwap({ context }: TestServer, { isMarked = false } = {}) {
  const { blobs } = context.config;
  const path = blobs.engine === 'disk' ? blobs.folder : '';
  let hidden = `${await newFolder()}/below`;
  // An earlier start may have left it there.
  await mkdir(`${hidden}/tmp`, { recursive: true });
  if (isMarked) await copyFile(`${path}/service-id`, `${hidden}/service-id`);
  return async () => {
    const aside = `${hidden}.aside`;
    await rename(path, aside);
    await rename(hidden, path);
    hidden = aside;
  };
}

test('an upload to a storage that was unmounted is refused before its row exists, and all is well after the mount', async ({
  server,
  skip,
}) => {
  skip(bytesAreOnS3, noMount);
  const ada = await signUpAndIn(server);
  const name = await uploadFile(server, ada, 'before');
  const swap = await openSwap(server);
  await swap();
  expect(await sendForm(server, ada, formWith('meanwhile'))).toMatchObject({ status: 503, success: false });
  // These bytes are known: the row would share them.
  expect(await sendForm(server, ada, formWith('before'))).toMatchObject({ status: 503, success: false });
  expect(await storedNames(server)).toEqual([]);
  expect(await ada.byKey.getAccountInfo()).toMatchObject({ account: { usage: { slots_used: 1 } } });
  expect(await createReadiness(server.context)()).toMatchObject({
    status: 503,
    body: expect.stringContaining('storage: The storage has no service-id') as string,
  });
  for (const job of ['purge', 'sweep-strays']) await expect(server.runJob(job)).rejects.toThrow('Is its disk mounted?');
  await swap();
  expect(await createReadiness(server.context)()).toMatchObject({ status: 200 });
  expect(await (await fetch(fileUrl(server, name))).text()).toBe('before');
  await uploadFile(server, ada, 'after');
});

test('while the folder of the storage cannot be read, uploads and downloads are 503', async ({ server, skip }) => {
  skip(bytesAreOnS3, noMount);
  const ada = await signUpAndIn(server);
  const name = await uploadFile(server, ada, 'before');
  const { blobs } = server.context.config;
  const path = blobs.engine === 'disk' ? blobs.folder : '';
  await rename(path, `${path}.aside`);
  await writeFile(path, 'no folder');
  expect(await sendForm(server, ada, formWith('meanwhile'))).toMatchObject({ status: 503, success: false });
  expect((await fetch(fileUrl(server, name))).status).toBe(503);
  await rm(path);
  await rename(`${path}.aside`, path);
  expect(await (await fetch(fileUrl(server, name))).text()).toBe('before');
  await uploadFile(server, ada, 'after');
});

test('a disk that is mounted while bytes arrive refuses them', async ({ server, skip }) => {
  skip(bytesAreOnS3, noMount);
  const ada = await signUpAndIn(server);
  await uploadFile(server, ada, 'before');
  const swap = await openSwap(server);
  const { blobs } = server.context;
  const open = blobs.freeSpace.room;
  Object.assign(blobs.freeSpace, { room: async () => (await swap(), open()) });
  expect(await sendForm(server, ada, formWith('meanwhile'))).toMatchObject({ status: 503 });
  await swap();
  expect(await storedNames(server)).toHaveLength(1);
});

test.each([
  { what: 'was unmounted', isMarked: false, text: 'meanwhile' },
  { what: 'was hidden by a copy of itself', isMarked: true, text: 'meanwhile' },
  { what: 'was hidden by a copy of itself, with equal bytes,', isMarked: true, text: 'before' },
])('bytes in a storage that $what before their commit are refused', async ({ isMarked, text }) => {
  if (bytesAreOnS3) return;
  await using server = await startServer();
  const ada = await signUpAndIn(server);
  await uploadFile(server, ada, 'before');
  const swap = await openSwap(server, { isMarked });
  const { context } = server;
  const { db } = context;
  let swaps = 0;
  const swapOnce = async () => void ((swaps += 1) === 1 && (await swap()));
  Object.assign(context, { db: beforeTransactions(db, swapOnce) });
  expect(await sendForm(server, ada, formWith(text))).toMatchObject({ status: 503 });
  Object.assign(context, { db });
  expect(await ada.byKey.getAccountInfo()).toMatchObject({ account: { usage: { slots_used: 1 } } });
  await swap();
  await uploadFile(server, ada, text);
});
