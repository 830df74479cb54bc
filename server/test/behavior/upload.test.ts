import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer } from '../harness/start-server.ts';
import { fileUrl, formWith, sendForm, sha1, sha256, storedNameOf, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { shareServer, test } from '../harness/server-test.ts';

const { server: shared } = await shareServer();

test.each([
  ['an empty file', new Uint8Array(0), 'empty.txt'],
  ['one byte', new Uint8Array([7]), 'one.zip'],
  ['a name in Cyrillic', randomBytes(100_000), 'Набор ресурсов.zip'],
  ['a name with an emoji', randomBytes(100_000), 'octopus 🐙.png'],
  ['bytes full of line breaks and dashes', Buffer.from('\r\n--\r\n---\r\n'.repeat(30_000)), 'breaks.txt'],
])('%s is downloaded as it was uploaded', async (_what, bytes, name) => {
  const account = await signUpAndIn(shared);
  const answer = await sendForm(shared, account, formWith(new Uint8Array(bytes), name));
  expect(answer).toMatchObject({ status: 200, success: true });
  const stored = storedNameOf(answer.url);
  const download = await fetch(fileUrl(shared, stored));
  expect(download.status).toBe(200);
  expect(sha256(new Uint8Array(await download.arrayBuffer()))).toBe(sha256(bytes));
  const { files } = await account.byKey.getFileList({ query: {} });
  expect(files).toMatchObject([{ name: stored, original_name: name, size: bytes.length, sha256: sha256(bytes) }]);
});

const digests = [
  ['sha_256', sha256],
  ['sha_1', sha1],
] as const;

test.each(digests)('%s is checked before and after the file in the form', async (field, digestOf) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  for (const order of ['before', 'after'] as const) {
    for (const [digest, status] of [
      [digestOf('other'), 422],
      ['beef', 400],
      [digestOf('hello').slice(1), 400],
      [digestOf('hello').replace(/.$/, 'x'), 400],
      [digestOf('hello').toUpperCase(), 200],
      ['', 200],
    ] as const) {
      const form = new FormData();
      if (order === 'before') form.append(field, digest);
      form.append('file', new Blob(['hello']), 'hello.txt');
      if (order === 'after') form.append(field, digest);
      const answer = await sendForm(server, account, form);
      expect(answer.status, `${digest} ${order} the file`).toBe(status);
      if (status === 422)
        expect(answer.error).toBe(`The file that arrived does not match its ${field}. Upload it again.`);
      if (status !== 200 && order === 'before') expect(await storedNames(server)).toEqual([]);
    }
  }
  expect(await storedNames(server)).toHaveLength(1);
});

test.each(digests)('two of %s in one form are refused', async (field, digestOf) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const form = formWith('hello');
  form.append(field, digestOf('other'));
  form.append(field, digestOf('hello'));
  expect(await sendForm(server, account, form)).toMatchObject({ status: 400 });
  expect(await storedNames(server)).toEqual([]);
});

test('a SHA-1 that was checked is known at once, and one that was not sent is not computed', async ({ server }) => {
  const account = await signUpAndIn(server);
  const bytes = new Uint8Array(randomBytes(2_500_000));
  const stored = async () =>
    (await server.context.db.selectFrom('blobs').select('sha1').orderBy('created_at').execute()).map(
      (blob) => blob.sha1,
    );
  await uploadFile(server, account, 'without');
  expect(await stored()).toEqual([null]);
  server.clock.advance(1);
  const form = formWith(bytes, 'a.zip');
  form.append('sha_1', sha1(bytes));
  const { url } = await sendForm(server, account, form);
  expect(await stored()).toEqual([null, sha1(bytes)]);
  expect(await (await fetch(fileUrl(server, `${storedNameOf(url)}.sha1`))).text()).toBe(sha1(bytes));
});

test('equal bytes of all accounts share one blob, and each upload is a separate file', async ({ server }) => {
  const [ada, ben] = [await signUpAndIn(server), await signUpAndIn(server)];
  const names = [await uploadFile(server, ada), await uploadFile(server, ada), await uploadFile(server, ben)];
  expect(new Set(names).size).toBe(3);
  expect(await storedNames(server)).toHaveLength(1);
  const [blob] = await server.context.db.selectFrom('blobs').selectAll().execute();
  expect(blob).toMatchObject({ used_by: 3, unused_since: null });
  await ada.byKey.deleteFiles({ body: { files: names } });
  expect((await fetch(fileUrl(server, names[2] ?? ''))).status).toBe(200);
  await ben.byKey.deleteFiles({ body: { files: names } });
  const [unused] = await server.context.db.selectFrom('blobs').selectAll().execute();
  expect(unused).toMatchObject({ used_by: 0, unused_since: server.clock.now() });
});

test('published clients can upload at upload.php', async ({ server, account }) => {
  expect(await sendForm(server, account, formWith('x'), { path: '/api/v3/upload.php' })).toMatchObject({
    status: 200,
    success: true,
  });
});
