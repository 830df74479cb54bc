/** What `curl -T` sends, by curl itself. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { openLine } from '../harness/raw-http.ts';
import { shareServer } from '../harness/server-test.ts';
import { download, sha256, storedNameOf } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';

const { server, test } = await shareServer();
const target = `${server.url}/api/v3/upload/`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-put-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const curl = async (...options: string[]) => {
  const { stdout } = await promisify(execFile)('curl', ['-sS', ...options], { cwd: folder });
  return stdout;
};
const keyOf = ({ apiKey }: { readonly apiKey: string }) => ['-H', `X-API-Key: ${apiKey}`];

test.each([
  ['of 5 bytes', 'Привет мир #1.txt', Buffer.from('hello')],
  // From 1 MB on, curl waits to be invited.
  ['of 3 MB', 'pack.zip', randomBytes(3_000_000)],
  ['without a byte', 'empty.txt', Buffer.alloc(0)],
])('a file %s gets its link as a line of text, and keeps its name', async (_what, name, bytes) => {
  const account = await signUpAndIn(server, { plan: 'power' });
  await writeFile(join(folder, name), bytes);
  const printed = await curl(...keyOf(account), '-T', name, target);
  expect(printed).toMatch(/^http:\S+\n$/);
  expect(await download(server, storedNameOf(printed.trim()))).toBe(sha256(bytes));
  const { files } = await account.byKey.getFileList({ query: {} });
  expect(files).toMatchObject([{ original_name: name, size: bytes.length }]);
});

test('a pipe has no length, and the name that its address has', async () => {
  // The Free plan wants an extension.
  const account = await signUpAndIn(server, { plan: 'power' });
  const bytes = randomBytes(300_000);
  const upload = async (address: string) => {
    const sending = spawn('curl', ['-sS', ...keyOf(account), '-T', '-', address]);
    sending.stdin.end(bytes);
    const [printed] = await Promise.all([text(sending.stdout), once(sending, 'close')]);
    expect(printed).toMatch(/^http:\S+\n$/);
    return printed.trim();
  };
  for (const address of [`${target}shot.png`, target])
    expect(await download(server, storedNameOf(await upload(address)))).toBe(sha256(bytes));
  const { files } = await account.byKey.getFileList({ query: { direction: 'asc' } });
  expect(files.map(({ original_name: name }) => name)).toEqual(['shot.png', 'stdin']);
});

test('a client that asks for JSON gets what the form returns', async ({ account }) => {
  await writeFile(join(folder, 'a.txt'), 'hello');
  const options = [...keyOf(account), '-H', 'Accept: application/json', '-H', 'Content-Type: application/json'];
  const answer = JSON.parse(await curl(...options, '-T', 'a.txt', target)) as object;
  expect(answer).toEqual({
    success: true,
    url: expect.stringMatching(/^http:/),
    deletion_url: expect.stringMatching(/^http:/),
  });
});

test('tries with one Idempotency-Key store one file', async ({ account }) => {
  await writeFile(join(folder, 'once.txt'), 'hello');
  const send = () => curl(...keyOf(account), '-H', 'Idempotency-Key: kelp', '-T', 'once.txt', target);
  expect(await send()).toBe(await send());
  expect((await account.byKey.getFileList({ query: {} })).files).toHaveLength(1);
});

test('what the form refuses is refused, and nothing is left', async ({ account }) => {
  const before = await storedNames(server);
  const put = async (
    path: string,
    body = 'hello',
    headers: Record<string, string> = { 'X-API-Key': account.apiKey },
  ) => {
    const { status, json } = await call(server, `/api/v3/upload/${path}`, { method: 'PUT', body, headers });
    return { status, error: (json as { error: unknown }).error };
  };
  const hello = sha256('hello');
  expect(await put('setup.exe')).toMatchObject({ status: 415, error: expect.stringContaining('exe') });
  expect(await put('a%2Fb.txt')).toEqual({ status: 400, error: 'The name of a file cannot contain a slash.' });
  expect(await put('a/b.txt')).toMatchObject({ status: 400 });
  expect(await put(`a.txt?sha_256=${sha256('other')}`)).toMatchObject({ status: 422 });
  expect(await put(`a.txt?sha_1=beef`)).toMatchObject({ status: 400 });
  expect(await put(`a.txt?api_key=${account.apiKey}`, 'hello', {})).toMatchObject({ status: 401 });
  expect(await storedNames(server)).toEqual(before);
  const answer = await call(server, `/api/v3/upload/a.txt?sha_256=${hello}`, {
    method: 'PUT',
    body: 'hello',
    headers: { 'X-API-Key': account.apiKey },
  });
  expect(answer.status).toBe(200);
});

test('a file larger than the plan allows is refused before its body is sent', async ({ account }) => {
  using line = openLine(server);
  const headers = { 'X-API-Key': account.apiKey, 'Content-Length': '200000000', Expect: '100-continue' };
  expect((await line.send('PUT', '/api/v3/upload/large.zip', headers)).status).toBe(413);
});

test('a body that breaks off leaves nothing', async ({ account }) => {
  const before = await storedNames(server);
  const controller = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      stream.enqueue(new Uint8Array(100_000));
      setImmediate(() => controller.abort());
    },
  });
  const headers = { 'X-API-Key': account.apiKey };
  const { signal } = controller;
  await expect(fetch(`${target}cut.txt`, { method: 'PUT', body, headers, signal, duplex: 'half' })).rejects.toThrow();
  await expect.poll(() => storedNames(server)).toEqual(before);
  expect((await account.byKey.getFileList({ query: {} })).files).toEqual([]);
});
