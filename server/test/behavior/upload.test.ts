import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer } from '../harness/start-server.ts';
import { blobsOnDisk, fileUrl, formWith, sendForm, sha256, storedNameOf, uploadFile } from '../harness/uploads.ts';

test.each([
  ['an empty file', new Uint8Array(0), 'empty.txt'],
  ['one byte', new Uint8Array([7]), 'one.zip'],
  ['a name in Cyrillic', randomBytes(100_000), 'Набор ресурсов.zip'],
  ['a name with an emoji', randomBytes(100_000), 'octopus 🐙.png'],
  ['bytes full of line breaks and dashes', Buffer.from('\r\n--\r\n---\r\n'.repeat(30_000)), 'breaks.txt'],
])('%s is downloaded as it was uploaded', async (_what, bytes, name) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const answer = await sendForm(server, account, formWith(new Uint8Array(bytes), name));
  expect(answer).toMatchObject({ status: 200, success: true });
  const stored = storedNameOf(answer.url);
  const download = await fetch(fileUrl(server, stored));
  expect(download.status).toBe(200);
  expect(sha256(new Uint8Array(await download.arrayBuffer()))).toBe(sha256(bytes));
  const { files } = await account.byKey.getFileList({ query: {} });
  expect(files).toMatchObject([{ name: stored, original_name: name, size: bytes.length, sha256: sha256(bytes) }]);
});

test('the digest is checked before and after the file in the form', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  for (const order of ['before', 'after'] as const) {
    for (const [digest, status] of [
      [sha256('hello').toUpperCase(), 200],
      [sha256('other'), 422],
      ['beef', 400],
      ['', 200],
    ] as const) {
      const form = new FormData();
      if (order === 'before') form.append('sha_256', digest);
      form.append('file', new Blob(['hello']), 'hello.txt');
      if (order === 'after') form.append('sha_256', digest);
      expect((await sendForm(server, account, form)).status, `${digest} ${order} the file`).toBe(status);
    }
  }
  expect(await blobsOnDisk(server)).toHaveLength(1);
});

test('two digests in one form are refused', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const form = formWith('hello');
  form.append('sha_256', sha256('other'));
  form.append('sha_256', sha256('hello'));
  expect(await sendForm(server, account, form)).toMatchObject({ status: 400 });
  expect(await blobsOnDisk(server)).toEqual([]);
});

test('equal bytes of all accounts share one blob, and each upload is a separate file', async () => {
  await using server = await startServer();
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const names = [await uploadFile(server, ada), await uploadFile(server, ada), await uploadFile(server, ben)];
  expect(new Set(names).size).toBe(3);
  expect(await blobsOnDisk(server)).toHaveLength(1);
  const [blob] = await server.context.db.selectFrom('blobs').selectAll().execute();
  expect(blob).toMatchObject({ used_by: 3, unused_since: null });
  await ada.byKey.deleteFiles({ body: { files: names } });
  expect((await fetch(fileUrl(server, names[2] ?? ''))).status).toBe(200);
  await ben.byKey.deleteFiles({ body: { files: names } });
  const [unused] = await server.context.db.selectFrom('blobs').selectAll().execute();
  expect(unused).toMatchObject({ used_by: 0, unused_since: server.clock.now() });
});

test('concurrent uploads of the same bytes share one blob', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => sendForm(server, account, formWith('same', 'same.txt'))),
  );
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
  expect(await blobsOnDisk(server)).toHaveLength(1);
});

test('published clients can upload at upload.php', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  expect(await sendForm(server, account, formWith('x'), { path: '/api/v3/upload.php' })).toMatchObject({
    status: 200,
    success: true,
  });
});
