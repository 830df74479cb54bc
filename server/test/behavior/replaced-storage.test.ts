/** The disk of the stored bytes is unmounted or mounted while the server runs. Its folder is replaced, as a mount does. */
import { mkdir, rename } from 'node:fs/promises';
import { expect } from 'vitest';
import { createReadiness } from '../../src/monitoring/readiness.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { newFolder } from '../harness/new-place.ts';
import type { TestServer } from '../harness/start-server.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { bytesAreOnS3 } from '../harness/test-blobs.ts';
import { fileUrl, formWith, sendForm, uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

const noMount = 'Nothing is mounted in the place of a bucket.';

async function openSwap({ context }: TestServer) {
  const { blobs } = context.config;
  const path = blobs.engine === 'disk' ? blobs.folder : '';
  let hidden = `${await newFolder()}/below`;
  // An earlier start may have left it there.
  await mkdir(`${hidden}/tmp`, { recursive: true });
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
