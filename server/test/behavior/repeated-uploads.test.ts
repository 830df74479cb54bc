/** `Idempotency-Key`: one upload that is sent several times stores one file. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readUploadKey } from '../../src/uploads/idempotency-key.ts';
import { upload } from '../../src/uploads/keep.ts';
import { stateOf } from '../harness/account-state.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { keyCaller } from '../harness/key-caller.ts';
import { onePart } from '../harness/one-part.ts';
import { openSecond, startServer, type TestServer } from '../harness/start-server.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { formWith, sendForm, storedNameOf } from '../harness/uploads.ts';
import { readerOf } from '../../src/lib/byte-reader.ts';

const opened = new AsyncDisposableStack();
let server: TestServer;
let account: SignedIn;
let keys = 0;

beforeAll(async () => {
  server = opened.use(await startServer());
});
afterAll(() => opened.disposeAsync());
beforeEach(async () => {
  account = await signUpAndIn(server);
});

const newKey = () => `try-${(keys += 1)}`;
const newText = () => `text ${(keys += 1)}`;

const send = (key: string, text = 'hello', name = 'file.txt', sender: Pick<SignedIn, 'apiKey'> = account) =>
  sendForm(server, sender, formWith(text, name), { key });

const namesOf = async (owner = account) => (await stateOf(server, owner)).names;

const reused = {
  status: 422,
  success: false,
  error: 'This Idempotency-Key belongs to another file. Send a new key with each file.',
};

test('a repeated upload gets the first link and stores nothing, whatever its name, by key and by session', async () => {
  const [key, text] = [newKey(), newText()];
  const first = await send(key, text);
  expect(first).toMatchObject({ status: 200, success: true });
  const [blobs, state] = [await storedNames(server), await stateOf(server, account)];
  expect(await send(key, text, 'other.exe')).toEqual(first);
  const Cookie = [...account.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const bySession = await fetch(`${server.url}/api/v3/upload.php`, {
    method: 'POST',
    headers: { Cookie, 'Idempotency-Key': key },
    body: formWith(text),
  });
  expect(await bySession.json()).toEqual({ success: true, url: first.url, deletion_url: first.deletion_url });
  expect(await stateOf(server, account)).toEqual(state);
  expect(await storedNames(server)).toEqual(blobs);
});

test('without a key, with another key, or in another account each upload is a new file', async () => {
  const key = newKey();
  for (const each of [undefined, undefined, key, newKey()])
    expect(await sendForm(server, account, formWith('hello'), { key: each })).toMatchObject({ status: 200 });
  expect(await namesOf()).toHaveLength(4);
  const other = await signUpAndIn(server);
  expect(await send(key, 'theirs', 'file.txt', other)).toMatchObject({ status: 200 });
  expect(await namesOf(other)).toHaveLength(1);
});

test.each(['hullo', 'hello!', 'hell', '', 'hello'.repeat(100_000)])(
  'other bytes under the same key are refused with 422, and the first file is kept',
  async (text) => {
    const key = newKey();
    const first = await send(key);
    const blobs = await storedNames(server);
    expect(await send(key, text)).toEqual(reused);
    expect(await send(key)).toEqual(first);
    expect(await namesOf()).toEqual([storedNameOf(first.url)]);
    expect(await storedNames(server)).toEqual(blobs);
  },
);

test.each([
  ['an empty key', ''],
  ['a key of 256 characters', 'k'.repeat(256)],
  ['a key with a tab in it', 'a\tb'],
  ['a key that is not ASCII', 'clé'],
])('%s is refused with 400, and nothing is stored', async (_what, key) => {
  expect(await send(key)).toEqual({
    status: 400,
    success: false,
    error: "'Idempotency-Key' must be 1 to 255 printable ASCII characters",
  });
  expect(await namesOf()).toEqual([]);
});

test('a deleted file is not stored again, and the response says so', async () => {
  const key = newKey();
  const first = await send(key);
  await account.byKey.deleteFiles({ body: { files: [storedNameOf(first.url)] } });
  expect(await send(key)).toMatchObject({ status: 410 });
  expect(await send(key, 'another')).toEqual(reused);
  expect(await namesOf()).toEqual([]);
});

test('an attempt that began before another was stored gets its link', async () => {
  const key = newKey();
  const caller = await keyCaller(server, account);
  let first = '';
  const parts = (async function* () {
    yield { name: 'file', filename: 'file.txt', body: readerOf([Buffer.from('hello')]) };
    first = (await send(key)).url;
  })();
  const late = await upload(server.context, caller, parts, {
    key: readUploadKey(caller.account.id, key),
  });
  expect(storedNameOf(late.url)).toBe(storedNameOf(first));
  expect(await namesOf()).toEqual([storedNameOf(first)]);
});

test('an attempt whose API key is changed meanwhile gets no link', async () => {
  const key = newKey();
  await send(key);
  const caller = await keyCaller(server, account);
  await account.browser.client.changeApiKey();
  const options = { key: readUploadKey(caller.account.id, key) };
  const late = upload(server.context, caller, onePart(Buffer.from('hello')), options);
  await expect(late).rejects.toMatchObject({ code: 'AUTH_INVALID_KEY' });
});

test('of twenty concurrent attempts with two bodies, in two processes, one body is stored and the other refused', async () => {
  await using other = await openSecond(server);
  const caller = await keyCaller(server, account);
  const options = { key: readUploadKey(caller.account.id, newKey()) };
  const [bodies, blobs] = [[newText(), newText()], await storedNames(server)];
  const ends = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => {
      const parts = onePart(Buffer.from(bodies[at % 4 < 2 ? 0 : 1] ?? ''));
      return upload(at % 2 === 0 ? server.context : other, caller, parts, options);
    }),
  );
  const stored = new Set(ends.flatMap((end) => (end.status === 'fulfilled' ? [storedNameOf(end.value.url)] : [])));
  const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code ?? end.reason] : []));
  expect(refusals).toEqual(Array.from({ length: 10 }, () => 'UPLOAD_KEY_REUSED'));
  expect(await namesOf()).toEqual([...stored]);
  expect(await storedNames(server)).toHaveLength(blobs.length + 1);
});
