import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { policies } from '../delivery/policies.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

test('a download carries the headers that keep untrusted bytes harmless', async ({ server, account }) => {
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

test('a file with the extension sha256 is served there, and its digest at .sha256.sha256', async ({ server }) => {
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

test('the content type that the client sends is ignored', async ({ server, account }) => {
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
