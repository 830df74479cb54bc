/** `Idempotency-Key`: one upload that is sent several times stores one file. */
import { once } from 'node:events';
import fc from 'fast-check';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { type ClamdStandIn, startClamdStandIn } from '../stand-ins/clamd.ts';
import { readerOf } from '../../src/lib/byte-reader.ts';
import { upload } from '../../src/uploads/upload.ts';
import { readUploadKey } from '../../src/uploads/idempotency-key.ts';
import { days, hours } from '../../src/lib/clock.ts';
import { stateOf, sumsOf } from '../harness/account-state.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { keyCaller } from '../harness/key-caller.ts';
import { killUpload } from '../harness/kill-upload.ts';
import { onePart } from '../harness/one-part.ts';
import { openSecond } from '../harness/second-process.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { formWith, sendForm, sha1, storedNameOf } from '../harness/uploads.ts';
import { watchStatements } from '../harness/watched-statements.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { moreThanOneSlab } from '../harness/test-blobs.ts';

const opened = new AsyncDisposableStack();
let clamd: ClamdStandIn;
let server: TestServer;
let account: SignedIn;
let keys = 0;

beforeAll(async () => {
  clamd = opened.use(await startClamdStandIn());
  server = opened.use(await startServer({ SCANNER_URL: `clamd://127.0.0.1:${clamd.port}` }));
});
afterAll(() => opened.disposeAsync());
beforeEach(async () => {
  clamd.behavior = { kind: 'scans' };
  clamd.onStream = () => {};
  account = await signUpAndIn(server);
});

const newKey = () => `try-${(keys += 1)}`;
const newText = () => `text ${(keys += 1)}`;

/** Sends an upload and returns the parts of the response that the tests check. */
async function send(key: string, text = 'hello', name = 'file.txt', sender: Pick<SignedIn, 'apiKey'> = account) {
  return sendForm(server, sender, formWith(text, name), { key });
}

const namesOf = async (owner = account) => (await stateOf(server, owner)).names;

const reused = {
  status: 422,
  success: false,
  error: 'This Idempotency-Key belongs to another file. Send a new key with each file.',
};
const deletedSince = {
  status: 410,
  success: false,
  error: 'This file was stored and has been deleted since. Send a new Idempotency-Key to store it again.',
};

test('a repeated upload gets the first link, and is not stored or scanned again', async () => {
  const [key, text] = [newKey(), newText()];
  const first = await send(key, text);
  expect(first).toMatchObject({ status: 200, success: true });
  const [streams, blobs, state] = [clamd.streams, await storedNames(server), await stateOf(server, account)];
  for (const path of ['/api/v3/upload', '/api/v3/upload.php'])
    expect(await sendForm(server, account, formWith(text), { key, path })).toEqual(first);
  const form = formWith(text);
  const Cookie = [...account.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const bySession = await fetch(`${server.url}/api/v3/upload`, {
    method: 'POST',
    headers: { Cookie, 'Idempotency-Key': key },
    body: form,
  });
  expect(await bySession.json()).toEqual({ success: true, url: first.url });
  expect(await stateOf(server, account)).toEqual(state);
  expect(await storedNames(server)).toEqual(blobs);
  expect(clamd.streams).toBe(streams);
});

test('without a key, or with another key, each upload is a new file', async () => {
  for (const key of [undefined, undefined, newKey(), newKey()])
    expect(await sendForm(server, account, formWith('hello'), { key })).toMatchObject({ status: 200 });
  expect(await namesOf()).toHaveLength(4);
});

test('keys of different accounts are independent', async () => {
  const other = await signUpAndIn(server);
  const key = newKey();
  const links = [await send(key, 'mine'), await send(key, 'theirs', 'file.txt', other)];
  expect(links.map(({ status }) => status)).toEqual([200, 200]);
  expect([await namesOf(), await namesOf(other)]).toEqual(links.map(({ url }) => [storedNameOf(url)]));
});

test.each([
  ['other bytes', 'hullo', 'file.txt'],
  ['more bytes', 'hello!', 'file.txt'],
  ['fewer bytes', 'hell', 'file.txt'],
  ['no bytes', '', 'file.txt'],
  ['many more bytes', 'hello'.repeat(100_000), 'file.txt'],
  ['another name', 'hello', 'fill.txt'],
  ['a name in capitals', 'hello', 'FILE.TXT'],
  ['a type that the plan does not take', 'hello', 'file.exe'],
])('%s under the same key are refused with 422, and the first file is kept', async (_what, text, name) => {
  const key = newKey();
  const first = await send(key);
  const blobs = await storedNames(server);
  expect(await send(key, text, name)).toEqual(reused);
  expect(await send(key)).toEqual(first);
  expect(await namesOf()).toEqual([storedNameOf(first.url)]);
  expect(await storedNames(server)).toEqual(blobs);
});

test('two uploads under a key are the same if and only if name and bytes are equal', async () => {
  const form = fc.record({
    name: fc.constantFrom('a.txt', 'b.txt', 'a.zip', 'ä.txt'),
    text: fc.constantFrom('', 'x', 'y', 'xx', 'x\n'),
  });
  await fc.assert(
    fc.asyncProperty(form, form, async (one, two) => {
      const key = newKey();
      const first = await send(key, one.text, one.name);
      const same = one.name === two.name && one.text === two.text;
      expect(await send(key, two.text, two.name)).toEqual(same ? first : reused);
    }),
    { numRuns: 40 },
  );
});

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

test('a key may have 255 characters, all printable ones', async () => {
  const printable = Array.from({ length: 95 }, (_, at) => String.fromCodePoint(0x20 + at)).join('');
  for (const key of ['k'.repeat(255), `k${printable}k`]) {
    const first = await send(key);
    expect(first).toMatchObject({ status: 200 });
    expect(await send(key)).toEqual(first);
  }
});

test('a key is valid for a day, also after the clock was set back', async () => {
  const key = newKey();
  const first = await send(key);
  server.clock.advance(-hours(2));
  expect(await send(key)).toEqual(first);
  server.clock.advance(hours(2) + days(1) - 1);
  expect(await send(key)).toEqual(first);
  server.clock.advance(1);
  const second = await send(key, 'another', 'other.txt');
  expect(second).toMatchObject({ status: 200 });
  expect(await send(key, 'another', 'other.txt')).toEqual(second);
  // Far ahead, and back: the row of that time blocks nothing.
  server.clock.advance(days(400));
  expect(await send(key)).toMatchObject({ status: 200 });
  server.clock.advance(-days(400));
  expect(await send(key, 'a third', 'third.txt')).toMatchObject({ status: 200 });
  expect(await namesOf()).toHaveLength(4);
});

test('a deleted file is not stored again, and the response says so', async () => {
  const key = newKey();
  const first = await send(key);
  await account.byKey.deleteFiles({ body: { files: [storedNameOf(first.url)] } });
  expect(await send(key)).toEqual(deletedSince);
  expect(await send(key, 'another')).toEqual(reused);
  expect(await namesOf()).toEqual([]);
  expect(await send(newKey())).toMatchObject({ status: 200 });
});

test('the link is returned again although the account is full', async () => {
  const [key, text] = [newKey(), 'x'.repeat(200_000)];
  await storeRows(server, account, [{ size: 499_800_000 }]);
  const first = await send(key, text);
  expect(first).toMatchObject({ status: 200 });
  expect(await send(newKey(), text)).toMatchObject({ status: 403 });
  expect(await send(key, text)).toEqual(first);
});

test('an attempt in progress gets the link although another reserved the last quota', async () => {
  const [key, text] = [newKey(), 'x'.repeat(200_000)];
  await storeRows(server, account, [{ size: 499_800_000 }]);
  // The body has no declared length, so each piece is checked when it arrives.
  let first = null;
  const answer = await sendSlowly(key, [text.slice(0, 100_000), text.slice(100_000)], async () => {
    first = await send(key, text);
    await server.context.db
      .updateTable('accounts')
      .set({ space_used: 499_999_999, slots_used: 500 })
      .where('email', '=', account.email)
      .execute();
  });
  expect(first).toMatchObject({ status: 200 });
  expect(answer).toEqual(first);
});

test('an attempt is read no further than the file already stored under its key', async () => {
  await storeRows(server, account, [{ size: 499_999_990 }]);
  const caller = await keyCaller(server, account);
  const key = newKey();
  const body = (async function* () {
    yield Buffer.from('hello');
    await send(key);
    for (let piece = 0; piece < 100; piece += 1) yield Buffer.alloc(65_536);
    throw new Error('all of it was read');
  })();
  const parts = (async function* () {
    yield { name: 'file', filename: 'file.txt', body: readerOf(body) };
  })();
  const ended = upload(server.context, { forget() {} }, caller, parts, readUploadKey(caller.account.id, key));
  await expect(ended).rejects.toMatchObject({ code: 'UPLOAD_KEY_REUSED' });
});

/** Sends a form whose second piece follows once `between` is done. */
async function sendSlowly(key: string, pieces: readonly [string, string], between: () => Promise<unknown>) {
  const beginning = '--kelp\r\nContent-Disposition: form-data; name="file"; filename="file.txt"\r\n\r\n';
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(beginning + pieces[0])),
    async pull(controller) {
      await between();
      controller.enqueue(Buffer.from(`${pieces[1]}\r\n--kelp--\r\n`));
      controller.close();
    },
  });
  const answer = await fetch(`${server.url}/api/v3/upload`, {
    method: 'POST',
    headers: {
      'X-API-Key': account.apiKey,
      'Idempotency-Key': key,
      'Content-Type': 'multipart/form-data; boundary=kelp',
    },
    body,
    duplex: 'half',
  });
  return { status: answer.status, ...((await answer.json()) as object) };
}

test('a refused attempt does not use the key', async () => {
  const key = newKey();
  const form = formWith('hello');
  form.append('sha_256', 'a'.repeat(64));
  expect(await sendForm(server, account, form, { key })).toMatchObject({ status: 422 });
  expect(await send(key, 'hello', 'file.exe')).toMatchObject({ status: 415 });
  expect(await send(key, 'another', 'other.txt')).toMatchObject({ status: 200 });
  expect(await namesOf()).toHaveLength(1);
});

test('the SHA-1 of a repeated upload is checked against the stored file', async () => {
  const [key, text] = [newKey(), newText()];
  const withSha1 = (digest: string) => {
    const form = formWith(text);
    form.append('sha_1', digest);
    return sendForm(server, account, form, { key });
  };
  const first = await withSha1(sha1(text));
  expect(first).toMatchObject({ status: 200 });
  expect(await withSha1(sha1('other'))).toMatchObject({ status: 422, error: expect.stringContaining('sha_1') });
  expect(await withSha1(sha1(text))).toEqual(first);
});

test('an aborted attempt does not use the key', async () => {
  const [key, text] = [newKey(), newText()];
  const blobs = await storedNames(server);
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `POST /api/v3/upload HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${account.apiKey}\r\nIdempotency-Key: ${key}\r\n` +
      'Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: 10000000\r\n\r\n' +
      // More than one slab, so that some of it is in a temp file.
      `--edge\r\nContent-Disposition: form-data; name="file"; filename="file.txt"\r\n\r\n${'x'.repeat(moreThanOneSlab)}`,
  );
  await expect.poll(() => storedNames(server)).toHaveLength(blobs.length + 1);
  socket.destroy();
  await once(socket, 'close');
  expect(await send(key, text)).toMatchObject({ status: 200 });
  expect(await namesOf()).toHaveLength(1);
  await expect.poll(() => storedNames(server)).toHaveLength(blobs.length + 1);
});

test('a stalled attempt does not delay others', async () => {
  const key = newKey();
  let second = null;
  const late = await sendSlowly(key, ['hel', 'lo'], async () => void (second = await send(key)));
  expect(second).toMatchObject({ status: 200 });
  expect(late).toEqual(second);
  expect(await namesOf()).toHaveLength(1);
});

test('attempts after one canceled during its scan get one file', async () => {
  const [key, text] = [newKey(), newText()];
  const scanned = Promise.withResolvers<void>();
  clamd.behavior = { kind: 'answers', text: 'stream: OK', after: scanned.promise };
  const streams = clamd.streams;
  const canceled = new AbortController();
  const begun = new Promise<void>((resolve) => (clamd.onStream = resolve));
  const first = sendForm(server, account, formWith(text), { key, signal: canceled.signal });
  await begun;
  canceled.abort();
  await expect(first).rejects.toThrow();
  const [second, third] = [send(key, text), send(key, text)];
  scanned.resolve();
  const answer = await second;
  expect(answer).toMatchObject({ status: 200 });
  expect(await third).toEqual(answer);
  expect(await namesOf()).toEqual([storedNameOf(answer.url)]);
  expect(clamd.streams - streams).toBe(1);
});

/** Attempts as calls of the app's function, each in the process that its context represents. */
async function tryIn(contexts: readonly Context[], key: string, texts: readonly string[]) {
  const caller = await keyCaller(server, account);
  return Promise.allSettled(
    texts.map((text, at) =>
      upload(
        contexts[at % contexts.length] ?? server.context,
        { forget() {} },
        caller,
        onePart(Buffer.from(text), 'file.txt'),
        readUploadKey(caller.account.id, key),
      ),
    ),
  );
}

/** Stored names: another process may build links with another address. */
const storedIn = (ends: Awaited<ReturnType<typeof tryIn>>) => [
  ...new Set(ends.flatMap((end) => (end.status === 'fulfilled' ? [storedNameOf(end.value.url)] : []))),
];
const refusalsIn = (ends: Awaited<ReturnType<typeof tryIn>>) =>
  ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code ?? end.reason] : []));

test('twenty concurrent attempts store one file, in one process and in two', async () => {
  await using other = await openSecond(server);
  for (const contexts of [[server.context], [server.context, other]]) {
    const [before, blobs, text] = [await namesOf(), await storedNames(server), newText()];
    const ends = await tryIn(
      contexts,
      newKey(),
      Array.from({ length: 20 }, () => text),
    );
    expect(refusalsIn(ends)).toEqual([]);
    expect(storedIn(ends)).toHaveLength(1);
    expect(await namesOf()).toEqual([...before, ...storedIn(ends)]);
    expect(await storedNames(server)).toHaveLength(blobs.length + 1);
  }
  const state = await stateOf(server, account);
  expect(state).toMatchObject(sumsOf(state));
});

test('of twenty concurrent attempts with two bodies one body is stored, and the other refused', async () => {
  await using other = await openSecond(server);
  const bodies = [newText(), newText()];
  const texts = Array.from({ length: 20 }, (_, at) => bodies[at % 4 < 2 ? 0 : 1] ?? '');
  const ends = await tryIn([server.context, other], newKey(), texts);
  expect(storedIn(ends)).toHaveLength(1);
  expect(refusalsIn(ends)).toEqual(Array.from({ length: 10 }, () => 'UPLOAD_KEY_REUSED'));
  expect(await namesOf()).toHaveLength(1);
});

test('two servers with one concurrent upload each store one file', async () => {
  const [key, text] = [newKey(), newText()];
  const scanner = { SCANNER_URL: `clamd://127.0.0.1:${clamd.port}` };
  // The other process uses the clock of the machine, and earlier tests moved ours by a day, which is the lifetime of a
  // key.
  server.clock.advance(Date.now() - server.clock.now());
  const { child, ended } = await startHoldfast(server, ['serve'], { PORT: '0', ...scanner });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /http:\/\/\S+/.exec(line.toString())?.[0] ?? '';
    // Both look for an earlier upload with the key before either can see the other.
    const both = Promise.withResolvers<void>();
    clamd.behavior = { kind: 'answers', text: 'stream: OK', after: both.promise };
    const streams = clamd.streams;
    clamd.onStream = () => clamd.streams === streams + 2 && both.resolve();
    const answers = await Promise.all(
      [server, { url }].map((each) => sendForm(each, account, formWith(text), { key })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [name, ...more] = new Set(answers.map((answer) => storedNameOf(answer.url)));
    expect(more).toEqual([]);
    expect(await namesOf()).toEqual([name]);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
});

test('a process killed before its commit does not use the key', async () => {
  const key = newKey();
  await killUpload(server, account, 5, key);
  const first = await sendForm(server, account, formWith('xxxxx', 'a.txt'), { key });
  expect(first).toMatchObject({ status: 200 });
  expect(await namesOf()).toEqual([storedNameOf(first.url)]);
});

test('a failed transaction leaves neither file nor key', async () => {
  const caller = await keyCaller(server, account);
  const key = readUploadKey(caller.account.id, newKey());
  const db = watchStatements(server.context.db, {
    after(statement) {
      if (statement === 'InsertQueryNode files') throw new Error('the disk is gone');
    },
  });
  const context = { ...server.context, db };
  await expect(upload(context, { forget() {} }, caller, onePart(Buffer.from('x')), key)).rejects.toThrow('the disk');
  expect(await namesOf()).toEqual([]);
  expect(await server.context.db.selectFrom('upload_keys').selectAll().where('key', '=', `${key}`).execute()).toEqual(
    [],
  );
});

test('an attempt whose API key is changed meanwhile gets no link', async () => {
  const key = newKey();
  await send(key);
  const answer = await sendSlowly(key, ['hel', 'lo'], () => account.browser.client.changeApiKey());
  expect(answer).toEqual({ status: 401, success: false, error: 'Invalid API key' });
});

test('with Continuous Uploading, 100 repeated uploads evict 100 files', async () => {
  await account.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  // The space and all slots are in use, so each upload evicts one file.
  const old = await storeRows(
    server,
    account,
    Array.from({ length: 500 }, () => ({ size: 1_000_000 })),
  );
  const links: string[] = [];
  for (let at = 0; at < 100; at += 1) {
    const [key, text] = [newKey(), `${at}`.padEnd(1_000, 'x')];
    const lost = [await send(key, text), await send(key, text)];
    const { url } = await send(key, text);
    expect(lost.map((answer) => answer.url)).toEqual([url, url]);
    links.push(storedNameOf(url));
    server.clock.advance(1_000);
  }
  const state = await stateOf(server, account);
  expect(state.names).toEqual([...old.slice(100), ...links]);
  expect(state.activity).toHaveLength(100);
  expect(state).toMatchObject(sumsOf(state));
}, 120_000);
