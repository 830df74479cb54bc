import { mostInBatch } from '@holdfast/contract/src/upload-endpoints.ts';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { expect } from 'vitest';
import type { SignedIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { runFsck } from '../harness/run-fsck.ts';
import { shareServer } from '../harness/server-test.ts';
import { download, sendForm, sha256, storedNameOf } from '../harness/uploads.ts';

const { server, test } = await shareServer();
const path = '/api/v3/rest/upload-batch';

interface Line {
  readonly index?: number;
  readonly success: boolean;
  readonly url: string;
  readonly error: { readonly code: string; readonly message: string };
}

const partOf = (content: string, name: string) =>
  `\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n--edge`;
const digestOf = (content: string) =>
  `\r\nContent-Disposition: form-data; name="sha_256"\r\n\r\n${sha256(content)}\r\n--edge`;
const start = '--edge';
const end = '--\r\n';

/** A form that is sent bit by bit. */
function openForm({ apiKey }: SignedIn, headers: Record<string, string> = {}): ClientRequest {
  const type = { 'Content-Type': 'multipart/form-data; boundary=edge' };
  const form = request(server.url + path, { method: 'POST', headers: { 'X-API-Key': apiKey, ...type, ...headers } });
  form.on('error', () => {});
  form.write(start);
  return form;
}

const linesOf = (answer: IncomingMessage) => createInterface({ input: answer })[Symbol.asyncIterator]();

async function allLines(answer: IncomingMessage): Promise<Line[]> {
  const written = await text(answer);
  return written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

async function send(account: SignedIn, body: string, headers?: Record<string, string>) {
  const form = openForm(account, headers);
  form.end(body);
  const [answer] = (await once(form, 'response')) as [IncomingMessage];
  const lines = await allLines(answer);
  const inOrder = lines.toSorted((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity));
  return { status: answer.statusCode, type: answer.headers['content-type'], lines: inOrder };
}

test('each file has a line, and a refused one stops no other', async ({ account }) => {
  const files = Array.from({ length: 40 }, (_, at) => `file ${at}`);
  const parts = files.map((content, at) => partOf(content, at === 7 ? 'setup.exe' : `${at}.txt`));
  const { status, type, lines } = await send(account, parts.join('') + end);
  expect({ status, type }).toEqual({ status: 200, type: 'application/x-ndjson' });
  expect(lines.map(({ index }) => index)).toEqual(files.map((_, at) => at));
  for (const [at, { success, url, error }] of lines.entries())
    if (at === 7) expect(error).toMatchObject({ code: 'UPLOAD_TYPE_REFUSED', message: expect.stringContaining('exe') });
    else expect([success, await download(server, storedNameOf(url))]).toEqual([true, sha256(files[at] ?? '')]);
  const { account_usage } = await account.byKey.getFileList({ query: {} });
  expect(account_usage).toMatchObject({ slots_used: 39 });
});

test('a digest belongs to the file after it', async ({ account }) => {
  const body = [
    digestOf('one'),
    partOf('one', '1.txt'),
    digestOf('other'),
    partOf('two', '2.txt'),
    partOf('3', '3.txt'),
  ];
  const { lines } = await send(account, body.join('') + end);
  expect(lines).toMatchObject([{ success: true }, { error: { code: 'UPLOAD_DIGEST_MISMATCH' } }, { success: true }]);
});

test('a line is sent while the form still arrives, and of a form that is cut its files stand', async ({ account }) => {
  const form = openForm(account);
  form.write(partOf('first', '1.txt'));
  const [answer] = (await once(form, 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  const lines = linesOf(answer);
  const first = JSON.parse(String((await lines.next()).value)) as Line;
  form.write(partOf('second', '2.txt'));
  const second = JSON.parse(String((await lines.next()).value)) as Line;
  expect(await download(server, storedNameOf(first.url))).toBe(sha256('first'));
  form.write(partOf('third', '3.txt').slice(0, -4));
  form.destroy();
  // The account takes its turn again when nothing of the batch is left to do.
  const isOver = () => sendForm(server, account, new FormData()).then(({ status }) => status);
  await expect.poll(isOver).toBe(400);
  expect(await download(server, storedNameOf(second.url))).toBe(sha256('second'));
  await expect.poll(async () => (await account.byKey.getFileList({ query: {} })).files.length).toBe(2);
  await expect.poll(() => runFsck(server)).toEqual([]);
});

test('a form that breaks has its error in the last line, after those of its files', async ({ account }) => {
  const { status, lines } = await send(account, `${partOf('one', '1.txt')}${partOf('two', '2.txt').slice(0, -4)}`);
  expect(status).toBe(200);
  expect(lines).toMatchObject([
    { index: 0, success: true },
    { index: 1, success: false, error: { code: 'UPLOAD_INTERRUPTED' } },
    { success: false, error: { code: 'UPLOAD_INTERRUPTED' } },
  ]);
  expect((await account.byKey.getFileList({ query: {} })).files).toHaveLength(1);
});

test('a batch that is sent again with its Idempotency-Key stores nothing twice', async ({ account }) => {
  const body = partOf('one', '1.txt') + partOf('two', '2.txt') + end;
  const key = { 'Idempotency-Key': 'kelp' };
  const { lines } = await send(account, body, key);
  expect((await send(account, body, key)).lines).toEqual(lines);
  expect((await account.byKey.getFileList({ query: {} })).files).toHaveLength(2);
});

test('behind a proxy the lines wait for the end of the form', async ({ account }) => {
  const form = openForm(account, { 'X-Forwarded-For': '203.0.113.9' });
  let hasAnswer = false;
  form.once('response', () => (hasAnswer = true));
  form.write(partOf('first', '1.txt'));
  await expect.poll(async () => (await account.byKey.getFileList({ query: {} })).files.length).toBe(1);
  expect(hasAnswer).toBe(false);
  form.end(end);
  const [answer] = (await once(form, 'response')) as [IncomingMessage];
  expect(await allLines(answer)).toHaveLength(1);
});

test('what is not such a form is refused with a status', async ({ account }) => {
  expect(mostInBatch).toBe(5_000);
  const headers = { 'X-API-Key': account.apiKey };
  expect(await call(server, path, { method: 'POST', body: {}, headers })).toMatchObject({ status: 415 });
  const bare = { ...headers, 'Content-Type': 'multipart/form-data' };
  const { status, json } = await call(server, path, { method: 'POST', body: 'x', headers: bare });
  expect({ status, json }).toMatchObject({ status: 400, json: { error: { code: 'UPLOAD_INVALID' } } });
  const form = new FormData();
  form.append('api_key', account.apiKey);
  form.append('file', new Blob(['hello']), 'a.txt');
  const byForm = await fetch(server.url + path, { method: 'POST', body: form });
  expect(byForm.status).toBe(401);
});

test('of files that share transactions, those are stored for which there are slots', async ({ account }) => {
  await storeRows(
    server,
    account,
    Array.from({ length: 490 }, () => ({ size: 10 })),
  );
  // Equal files share their bytes.
  const { lines } = await send(
    account,
    Array.from({ length: 40 }, (_, at) => partOf(`${at % 5}`, 'a.txt')).join('') + end,
  );
  const stored = lines.filter(({ success }) => success);
  expect(stored).toHaveLength(10);
  expect(new Set(lines.map(({ error }) => error?.code))).toEqual(new Set([undefined, 'UPLOAD_QUOTA_EXCEEDED']));
  for (const { url, index = 0 } of stored)
    expect(await download(server, storedNameOf(url))).toBe(sha256(`${index % 5}`));
});
