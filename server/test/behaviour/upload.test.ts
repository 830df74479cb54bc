import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, formWith, sendForm, storedNameOf, uploadFile } from '../harness/uploads.ts';

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** Every stored byte string: what is left on the disk, in place or half written. */
async function blobsOnDisk(server: TestServer): Promise<string[]> {
  const entries = await readdir(join(server.dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

test.each([
  ['an empty file', new Uint8Array(0), 'empty.txt'],
  ['one byte', new Uint8Array([7]), 'one.zip'],
  ['a name in Cyrillic', randomBytes(100_000), 'Набор ресурсов.zip'],
  ['a name with an emoji', randomBytes(100_000), 'octopus 🐙.png'],
  ['bytes full of line breaks and dashes', Buffer.from('\r\n--\r\n---\r\n'.repeat(30_000)), 'breaks.txt'],
])('%s comes down as it went up', async (_what, bytes, name) => {
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

test('a file of exactly the largest size is kept, one byte more is refused with 413', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const largest = Buffer.alloc(100_000_000, 'holdfast');
  const kept = await sendForm(server, account, formWith(largest, 'largest.zip'));
  expect(kept).toMatchObject({ status: 200 });
  const download = await fetch(fileUrl(server, storedNameOf(kept.url)));
  expect(sha256(new Uint8Array(await download.arrayBuffer()))).toBe(sha256(largest));
  const refused = await sendForm(server, account, formWith(Buffer.alloc(100_000_001), 'larger.zip'));
  expect(refused).toEqual({ status: 413, success: false, error: 'The file is larger than your plan allows.' });
  expect(await blobsOnDisk(server)).toHaveLength(1);
});

test('the digest is checked whether it stands before or after the file', async () => {
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

test('equal bytes of any account share one blob, and each upload is a file of its own', async () => {
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

test('uploads side by side of the same bytes end in one blob', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => sendForm(server, account, formWith('same', 'same.txt'))),
  );
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
  expect(await blobsOnDisk(server)).toHaveLength(1);
});

test('the Free plan takes the listed extensions only, paid plans take all', async () => {
  await using server = await startServer();
  const free = await signUpAndIn(server);
  const paid = await signUpAndIn(server, { plan: 'starter' });
  for (const [name, status] of [
    ['a.zip', 200],
    ['A.ZIP', 200],
    ['a.exe', 415],
    ['a.html', 415],
    ['noextension', 415],
    ['.zip', 415],
    ['a.zip.exe', 415],
  ] as const) {
    expect((await sendForm(server, free, formWith('x', name))).status, `${name} on Free`).toBe(status);
    expect((await sendForm(server, paid, formWith('x', name))).status, `${name} on Starter`).toBe(200);
  }
});

test.each(['space', 'slots'] as const)('parallel uploads cannot squeeze past the quota of %s', async (kind) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const room = kind === 'space' ? { space_used: 500_000_000 - 3 * 1000 } : { slots_used: 497 };
  await server.context.db.updateTable('accounts').set(room).where('email', '=', account.email).execute();
  // The commit itself is raced: the four-at-a-time rule of one process would hide what several nodes can do.
  const { upload } = await import('../../src/files/upload.ts');
  const row = await server.context.db
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', account.email)
    .executeTakeFirstOrThrow();
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, () => upload(server.context, row, onePart(randomBytes(1000)))),
  );
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(3);
  expect(
    results.filter((result) => result.status === 'rejected' && result.reason.code === 'UPLOAD_NO_ROOM'),
  ).toHaveLength(37);
  expect(await blobsOnDisk(server)).toHaveLength(3);
});

async function* onePart(bytes: Buffer) {
  yield {
    name: 'file',
    filename: 'a.txt',
    body: (async function* () {
      yield bytes;
    })(),
  };
}

test('a full account is refused with 403 before and after its bytes are known', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  await server.context.db
    .updateTable('accounts')
    .set({ space_used: 499_999_000 })
    .where('email', '=', account.email)
    .execute();
  expect(await sendForm(server, account, formWith(randomBytes(1_001), 'a.zip'))).toMatchObject({ status: 403 });
  expect(await sendForm(server, account, formWith(randomBytes(200_000), 'a.zip'))).toMatchObject({ status: 403 });
  expect(await sendForm(server, account, formWith(randomBytes(1_000), 'a.zip'))).toMatchObject({ status: 200 });
});

test('a fifth upload at the same time is refused until one has ended', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  using stalled = startStalledUploads(server, account.apiKey, 4);
  await expect.poll(() => blobsOnDisk(server)).toHaveLength(4);
  expect(await sendForm(server, account, formWith('x'))).toMatchObject({ status: 429 });
  stalled.cutOff();
  await expect.poll(async () => (await sendForm(server, account, formWith('x'))).status).toBe(200);
});

test('an upload that is cut off leaves nothing behind', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  using stalled = startStalledUploads(server, account.apiKey, 1);
  await expect.poll(() => blobsOnDisk(server)).toHaveLength(1);
  stalled.cutOff();
  await expect.poll(() => blobsOnDisk(server)).toHaveLength(0);
  expect((await account.byKey.getFileList({ query: {} })).files).toEqual([]);
});

/** Uploads that promise ten times what they send, and wait. */
function startStalledUploads(server: TestServer, apiKey: string, count: number) {
  const head = '--edge\r\nContent-Disposition: form-data; name="file"; filename="slow.zip"\r\n\r\n';
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST /api/v3/upload HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\n` +
        `Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: 1000000\r\n\r\n${head}`,
    );
    socket.write(randomBytes(100_000));
    return socket;
  });
  const cutOff = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { cutOff, [Symbol.dispose]: cutOff };
}

test.each([
  ['no boundary', 'multipart/form-data', '', 400, /no boundary/],
  ['another content type', 'application/x-www-form-urlencoded', 'file=x', 415, /./],
  ['an empty body', 'multipart/form-data; boundary=edge', '', 400, /ended before/],
  [
    'a truncated file',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello',
    400,
    /ended before/,
  ],
  ['a truncated header', 'multipart/form-data; boundary=edge', '--edge\r\nContent-Dispo', 400, /ended before/],
  [
    'a broken part header',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition\r\n\r\nhello\r\n--edge--\r\n',
    400,
    /Content-Disposition/,
  ],
  [
    'no part header',
    'multipart/form-data; boundary=edge',
    '--edge\r\n\r\nhello\r\n--edge--\r\n',
    400,
    /Content-Disposition/,
  ],
  [
    'an endless part header',
    'multipart/form-data; boundary=edge',
    `--edge\r\nX: ${'x'.repeat(20_000)}`,
    400,
    /too long/,
  ],
  [
    'an empty field name',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition: form-data; name=""; filename="a.txt"\r\n\r\nhello\r\n--edge--\r\n',
    400,
    /no field name/,
  ],
  [
    'a file as a plain field',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition: form-data; name="file"\r\n\r\nhello\r\n--edge--\r\n',
    400,
    /no file/,
  ],
  ['no part at all', 'multipart/form-data; boundary=edge', '--edge--\r\n', 400, /no file/],
  ['junk after a boundary', 'multipart/form-data; boundary=edge', '--edgejunk\r\n\r\n', 400, /broken boundary/],
  [
    'two files',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\na\r\n'.repeat(2) + '--edge--\r\n',
    400,
    /one file/,
  ],
  [
    'many parts',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition: form-data; name="x"\r\n\r\na\r\n'.repeat(40) + '--edge--\r\n',
    400,
    /too many parts/,
  ],
])('a form with %s is refused and leaves nothing', async (_what, type, body, status, error) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const answer = await fetch(`${server.url}/api/v3/upload`, {
    method: 'POST',
    headers: { 'Content-Type': type, 'X-API-Key': account.apiKey },
    body,
  });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toEqual({ success: false, error: expect.stringMatching(error) });
  expect(await blobsOnDisk(server)).toEqual([]);
  expect(await sendForm(server, account, formWith('still fine'))).toMatchObject({ status: 200 });
});

test.each([
  ['../../etc/passwd.txt', 'passwd.txt'],
  ['C:\\Users\\ada\\notes.txt', 'notes.txt'],
  ['say "cheese".txt', 'say "cheese".txt'],
  ['a\u202Etxt.gpj.txt', 'atxt.gpj.txt'],
  ['line\r\nbreak.txt', 'linebreak.txt'],
  ['nul\0.txt', 'nul.txt'],
  [`${'é'.repeat(5000)}.txt`, `${'é'.repeat(125)}.txt`],
  ['مرحبا.txt', 'مرحبا.txt'],
])('the name %j is kept as %j and comes back in the header', async (sent, kept) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const stored = await uploadFile(server, account, 'x', sent);
  expect((await account.byKey.getFileList({ query: {} })).files[0]?.original_name).toBe(kept);
  const { parse } = await import('content-disposition');
  const header = (await fetch(fileUrl(server, stored))).headers.get('Content-Disposition') ?? '';
  expect(parse(header)).toMatchObject({ type: 'inline', parameters: { filename: kept } });
});

test.each([
  ['without a key', 401, '', 'a.zip'],
  ['with a refused extension', 415, 'key', 'a.exe'],
])('a client sees the refusal of a large body %s, and the connection goes on', async (_what, status, key, name) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const headers: Record<string, string> = key === '' ? {} : { 'X-API-Key': account.apiKey };
  for (let round = 0; round < 2; round += 1) {
    const body = formWith(Buffer.alloc(50_000_000), name);
    const answer = await fetch(`${server.url}/api/v3/upload`, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ success: false });
  }
});

test('a quote that a client escapes with a backslash is part of the name', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const part = (filename: string) => `Content-Disposition: form-data; name="file"; filename="${filename}"`;
  for (const [written, kept] of [
    ['a\\"q\\".txt', 'a"q".txt'],
    ['a%22q%22.txt', 'a"q".txt'],
    ['C:\\notes\\a.txt', 'a.txt'],
  ] as const) {
    const answer = await fetch(`${server.url}/api/v3/upload`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=edge', 'X-API-Key': account.apiKey },
      body: `--edge\r\n${part(written)}\r\n\r\nx\r\n--edge--\r\n`,
    });
    expect(answer.status).toBe(200);
    const { files } = await account.byKey.getFileList({ query: { limit: 1 } });
    expect(files[0]?.original_name).toBe(kept);
    server.clock.advance(1);
  }
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

test('published clients reach the upload at upload.php', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  expect(await sendForm(server, account, formWith('x'), '/api/v3/upload.php')).toMatchObject({
    status: 200,
    success: true,
  });
});
