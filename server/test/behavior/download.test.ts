import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { policies } from '../delivery/policies.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { startServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

test('a download carries the headers that keep untrusted bytes harmless', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account, 'hello', 'notes.txt');
  const answer = await call(server, `/file/${name}`);
  expect(answer).toMatchObject({ status: 200, text: 'hello' });
  const digest = createHash('sha256').update('hello').digest('base64');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '5',
    'content-disposition': 'inline; filename=notes.txt',
    'cache-control': 'public, no-cache',
    etag: `"${sha256('hello')}"`,
    'repr-digest': `sha-256=:${digest}:`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': policies.plain,
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  });
});

test.each(['', '.txt', '.sha256', '.exe'])('no response at /file/{name}%s sets a cookie', async (rest) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account);
  const answer = await account.browser.fetch(`/file/${name}${rest}`);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(answer.headers.get('Content-Security-Policy')).toBe(policies.plain);
  expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
});

test('a file is found by its name, also with its own extension in any case', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server, { plan: 'starter' });
  const [photo, plain] = [
    await uploadFile(server, account, 'photo', 'Photo.JPG'),
    await uploadFile(server, account, 'plain', 'README'),
  ];
  for (const rest of [photo, `${photo}.jpg`, `${photo}.JPG`, `${photo}.jPg`])
    expect(await call(server, `/file/${rest}`), rest).toMatchObject({ status: 200, text: 'photo' });
  expect(await call(server, `/file/${plain}`)).toMatchObject({ status: 200, text: 'plain' });
  const wrong = ['.jpeg', '.jpg.jpg', '.', '.jpg.', '.j', '..jpg', '.jpg.md5', '%00', '.jpg%00', '/', '/.jpg', '%2F'];
  for (const rest of [...wrong.map((end) => photo + end), `${plain}.txt`, photo.toLowerCase() + 'x', 'abc'])
    expect(await call(server, `/file/${rest}`), rest).toMatchObject({ status: 404, text: 'There is no such file.\n' });
});

test('a name that is too long is not found', async () => {
  await using server = await startServer();
  for (const length of [65, 201, 5_000])
    expect((await call(server, `/file/${'a'.repeat(length)}`)).status, String(length)).toBe(404);
});

test('the digest of a file is at .sha256, after its name and after its extension', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server, { plan: 'starter' });
  const named = await uploadFile(server, account, 'hello', 'a.txt');
  const plain = await uploadFile(server, account, 'hello', 'README');
  for (const rest of [
    `${named}.sha256`,
    `${named}.SHA256`,
    `${named}.txt.sha256`,
    `${named}.TXT.sha256`,
    `${plain}.sha256`,
  ]) {
    const answer = await call(server, `/file/${rest}`);
    expect(answer, rest).toMatchObject({ status: 200, text: sha256('hello') });
    expect(answer.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('Content-Length')).toBe('64');
  }
  for (const rest of [`${named}.zip.sha256`, `${named}.sha256.sha256`, `${named}.sha256.txt`, `${plain}.sha256.sha256`])
    expect((await call(server, `/file/${rest}`)).status, rest).toBe(404);
});

test('a file with the extension sha256 is served there, and its digest at .sha256.sha256', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server, { plan: 'starter' });
  const name = await uploadFile(server, account, 'my sums', 'release.sha256');
  for (const rest of [name, `${name}.sha256`, `${name}.SHA256`])
    expect((await call(server, `/file/${rest}`)).text, rest).toBe('my sums');
  expect((await call(server, `/file/${name}.sha256.sha256`)).text).toBe(sha256('my sums'));
});

test.each([
  ['hello.txt', 'a text'],
  ['empty.txt', ''],
  ['octopus 🐙.png', 'x'.repeat(100_000)],
])('HEAD of %s returns the headers of GET, without the body', async (name, text) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const stored = await uploadFile(server, account, text, name);
  for (const rest of [stored, `${stored}.sha256`, 'nosuchfile']) {
    const [get, head] = [await call(server, `/file/${rest}`), await call(server, `/file/${rest}`, { method: 'HEAD' })];
    expect(head.status).toBe(get.status);
    expect(head.text).toBe('');
    const headers = (answer: typeof get) =>
      Object.fromEntries(
        [...answer.headers].filter(([header]) => !['date', 'connection', 'keep-alive'].includes(header)),
      );
    expect(headers(head), rest).toEqual(headers(get));
  }
});

test.each([
  ['html', 'text/html; charset=utf-8'],
  ['htm', 'text/html; charset=utf-8'],
  ['xhtml', 'application/octet-stream'],
  ['svg', 'image/svg+xml; charset=utf-8'],
  ['xml', 'application/xml; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['mjs', 'application/octet-stream'],
  ['css', 'text/css; charset=utf-8'],
  ['pdf', 'application/pdf'],
  ['swf', 'application/octet-stream'],
  ['constructor', 'application/octet-stream'],
])('a file that could run, .%s, is always downloaded', async (extension, type) => {
  await using server = await startServer();
  const account = await signUpAndIn(server, { plan: 'starter' });
  const name = await uploadFile(server, account, '<script>alert(1)</script>', `page.${extension}`);
  const { headers } = await call(server, `/file/${name}.${extension}`);
  expect(headers.get('Content-Disposition')).toBe(`attachment; filename=page.${extension}`);
  expect(headers.get('Content-Type')).toBe(type);
});

test.each([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['mp4', 'video/mp4'],
  ['mp3', 'audio/mpeg'],
  ['txt', 'text/plain; charset=utf-8'],
  ['md', 'text/plain; charset=utf-8'],
])('an image, video, audio or text file, .%s, is shown inline', async (extension, type) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const name = await uploadFile(server, account, 'x', `a.${extension}`);
  const { headers } = await call(server, `/file/${name}`);
  expect(headers.get('Content-Disposition')).toBe(`inline; filename=a.${extension}`);
  expect(headers.get('Content-Type')).toBe(type);
});

test('the content type that the client sends is ignored', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const form = new FormData();
  form.append('file', new Blob(['<script>'], { type: 'text/html' }), 'innocent.png');
  await fetch(`${server.url}/api/v3/upload`, {
    method: 'POST',
    headers: { 'X-API-Key': account.apiKey },
    body: form,
  });
  const { files } = await account.byKey.getFileList({ query: {} });
  expect((await call(server, `/file/${files[0]?.name}`)).headers.get('Content-Type')).toBe('image/png');
});

test('a file of many chunks is downloaded whole, many times concurrently', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server, { plan: 'power' });
  const bytes = randomBytes(3_000_001);
  const name = await uploadFile(server, account, new Uint8Array(bytes), 'a.zip');
  const digests = await Promise.all(
    Array.from({ length: 16 }, async () =>
      sha256(new Uint8Array(await (await fetch(fileUrl(server, name))).arrayBuffer())),
    ),
  );
  expect(new Set(digests)).toEqual(new Set([sha256(bytes)]));
});
