import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { fileUrl, sha256, uploadFile } from '../harness/uploads.ts';
import { shareServer } from '../harness/server-test.ts';

const { server, test } = await shareServer();

test('a deleted file disappears from every response at once, and its quota is released', async () => {
  const account = await signUpAndIn(server);
  const [gone, kept] = [await uploadFile(server, account, 'gone'), await uploadFile(server, account, 'kept!')];
  expect(await account.byKey.deleteFiles({ body: { files: [gone] } })).toEqual({ deleted: [gone] });
  for (const rest of [gone, `${gone}.txt`, `${gone}.sha256`, `${gone}.sha1`])
    expect((await fetch(fileUrl(server, rest))).status, rest).toBe(404);
  const list = await account.byKey.getFileList({ query: {} });
  expect(list.files.map(({ name }) => name)).toEqual([kept]);
  expect(list).toMatchObject({ pagination: { total_files: 1 }, account_usage: { space_used: 5, slots_used: 1 } });
});

test('deleting a file again, twice in one call, or an unknown file changes nothing', async ({ account }) => {
  const [first, second] = [await uploadFile(server, account), await uploadFile(server, account)];
  const remove = async (files: string[]) => (await account.byKey.deleteFiles({ body: { files } })).deleted;
  expect(await remove([second, first, second, 'nosuchfile', first])).toEqual([second, first]);
  expect(await remove([first, second])).toEqual([]);
  expect(await remove([])).toEqual([]);
  expect((await account.byKey.getAccountInfo()).account.usage).toEqual({ space_used: 0, slots_used: 0 });
});

test("another owner's files are ignored", async () => {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const [hers, his] = [await uploadFile(server, ada), await uploadFile(server, ben)];
  expect(await ben.byKey.deleteFiles({ body: { files: [hers, his] } })).toEqual({ deleted: [his] });
  expect((await fetch(fileUrl(server, hers))).status).toBe(200);
  expect((await ada.byKey.getAccountInfo()).account.usage.slots_used).toBe(1);
});

test('20 concurrent deletions of one file release the quota once', async ({ account }) => {
  const [gone, other] = [await uploadFile(server, account, 'xx'), await uploadFile(server, account, 'xx')];
  await uploadFile(server, account, 'kept');
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => account.byKey.deleteFiles({ body: { files: [gone, other] } })),
  );
  expect(replies.flatMap(({ deleted }) => deleted).toSorted()).toEqual([gone, other].toSorted());
  expect((await account.byKey.getAccountInfo()).account.usage).toEqual({ space_used: 4, slots_used: 1 });
  const blobs = await server.context.db
    .selectFrom('blobs')
    .select(['size', 'used_by'])
    .where('sha256', 'in', [sha256('xx'), sha256('kept')])
    .orderBy('size')
    .execute();
  expect(blobs).toEqual([
    { size: 2, used_by: 0 },
    { size: 4, used_by: 1 },
  ]);
});

test('names that are no files of the account wait for no other write', async () => {
  const [account, other] = [await signUpAndIn(server), await signUpAndIn(server)];
  const names = ['nosuchfile', await uploadFile(server, other)];
  // Notes the use of the key, once a minute.
  await account.byKey.getAccountInfo();
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = server.context.db.transaction().execute(async (tx) => {
    await tx.updateTable('accounts').set({ name: 'held' }).execute();
    held.resolve();
    await released.promise;
  });
  await held.promise;
  try {
    expect(await account.byKey.deleteFiles({ body: { files: names } })).toEqual({ deleted: [] });
  } finally {
    released.resolve();
    await holding;
  }
});

test.each([
  ['no body', undefined],
  ['no files', {}],
  ['files that are a string', { files: 'abcd' }],
  ['a number among the files', { files: ['abcd', 7] }],
])('a delete with %s is refused with the message of the docs', async (_what, body) => {
  const { apiKey } = await signUpAndIn(server);
  const answer = await call(server, endpoints.deleteFiles.path, {
    method: 'DELETE',
    headers: { 'X-API-Key': apiKey },
    body,
  });
  expect(answer).toMatchObject({
    status: 400,
    json: {
      success: false,
      error: {
        code: 'INVALID_INPUT',
        message: "Invalid request body. Expected JSON object with 'files' array.",
      },
    },
  });
});

test('at most 500 names may be deleted at once', async ({ account }) => {
  const name = await uploadFile(server, account);
  const names = (count: number) => [name, ...Array.from({ length: count - 1 }, (_, at) => `nosuch${at}`)];
  await expect(account.byKey.deleteFiles({ body: { files: names(501) } })).rejects.toMatchObject({
    status: 400,
    serverMessage: "'files' may hold 500 names at most.",
  });
  expect(await account.byKey.deleteFiles({ body: { files: names(500) } })).toEqual({ deleted: [name] });
});
