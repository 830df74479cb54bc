/** Uploads that carry the account's key in the field `api_key` of their form, for accounts that allow it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, vi } from 'vitest';
import { newApiKey } from '../../src/accounts/api-key.ts';
import { seconds } from '../../src/lib/clock.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { startLimited } from '../harness/limited-server.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { sha256 } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { test } from '../harness/server-test.ts';

type Fields = readonly (readonly [name: string, value: string | Blob])[];

const file = ['file', new Blob(['hello'])] as const;
const keyOf = ({ apiKey }: SignedIn) => ['api_key', apiKey] as const;

async function send(server: TestServer, fields: Fields, headers: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of fields)
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'hello.txt');
  const answer = await fetch(`${server.url}/api/v3/upload`, { method: 'POST', headers, body: form });
  return { status: answer.status, ...((await answer.json()) as { success: boolean; error?: string; url?: string }) };
}

async function allowing(server: TestServer): Promise<SignedIn> {
  const account = await signUpAndIn(server);
  await account.browser.client.setKeyInForm({ body: { allowed: true } });
  return account;
}

const refused = {
  status: 401,
  success: false,
  error:
    'Sign in or send your API key in the X-API-Key header. ' +
    "A form field 'api_key' before the file works too, if you allow it on the Account Info page.",
};

test('a key in the form is refused until its account allows it, and again when it no longer does', async ({
  server,
}) => {
  const account = await signUpAndIn(server);
  const { client } = account.browser;
  expect((await client.getAccountInfo()).account.key_in_form).toBe(false);
  expect(await send(server, [keyOf(account), file])).toEqual(refused);

  await client.setKeyInForm({ body: { allowed: true } });
  expect((await client.getAccountInfo()).account.key_in_form).toBe(true);
  expect((await account.byKey.getAccountInfo()).account).not.toHaveProperty('key_in_form');
  expect(await send(server, [keyOf(account), file])).toMatchObject({ status: 200, success: true });
  expect((await account.byKey.getFileList({ query: {} })).files).toMatchObject([
    { original_name: 'hello.txt', sha256: sha256('hello') },
  ]);

  await client.setKeyInForm({ body: { allowed: false } });
  expect((await client.getAccountInfo()).account.key_in_form).toBe(false);
  expect(await send(server, [keyOf(account), file])).toEqual(refused);
  expect(await storedNames(server)).toHaveLength(1);
});

test('that one account allows it changes nothing for others', async ({ server }) => {
  const [ada, ben] = [await allowing(server), await signUpAndIn(server)];
  expect(await send(server, [keyOf(ben), file])).toEqual(refused);
  expect(await send(server, [keyOf(ada), file])).toMatchObject({ status: 200 });
});

test('only a session may change it, and only to true or false', async ({ server, account: { browser, apiKey } }) => {
  const path = `${server.url}/api/v3/session/set-key-in-form`;
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  expect((await fetch(path, { method: 'POST', headers, body: '{"allowed":true}' })).status).toBe(401);
  for (const allowed of ['true', 1, null])
    await expect(browser.client.setKeyInForm({ body: { allowed } as never })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: "'allowed' must be true or false.",
    });
  expect((await browser.client.getAccountInfo()).account.key_in_form).toBe(false);
});

test.each<[string, (account: SignedIn) => Fields]>([
  ['after the file', (account) => [file, keyOf(account)]],
  ['as a file', ({ apiKey }) => [['api_key', new Blob([apiKey])], file]],
  ['under another name', ({ apiKey }) => [['X-API-Key', apiKey], file]],
  ['after a long field', (account) => [['junk', 'x'.repeat(1_025)], keyOf(account), file]],
  ['that is endless', () => [['api_key', 'x'.repeat(10_000)], file]],
  ['that is missing', () => [file]],
])('a key %s is none, and no byte is stored', async (_where, fieldsOf) => {
  await using server = await startServer();
  const account = await allowing(server);
  expect(await send(server, fieldsOf(account))).toEqual(refused);
  expect(await storedNames(server)).toEqual([]);
});

test('a wrong key in the form is refused like one in the header', async ({ server }) => {
  const account = await allowing(server);
  for (const key of ['', 'hf_x', newApiKey()])
    expect(await send(server, [['api_key', key], file])).toEqual({
      status: 401,
      success: false,
      error: 'Invalid API key',
    });
  await account.browser.client.changeApiKey();
  expect(await send(server, [keyOf(account), file])).toMatchObject({ status: 401, error: 'Invalid API key' });
});

test('a key in a header counts alone, and so does a session', async ({ server }) => {
  const [ada, ben] = [await allowing(server), await allowing(server)];
  const filesOf = async ({ byKey }: SignedIn) => (await byKey.getFileList({ query: {} })).files.length;
  expect(await send(server, [keyOf(ada), file], { 'X-API-Key': ben.apiKey })).toMatchObject({ status: 200 });
  expect(await send(server, [keyOf(ada), file], { Authorization: `Bearer ${newApiKey()}` })).toMatchObject({
    status: 401,
  });
  const form = new FormData();
  form.append('api_key', ada.apiKey);
  form.append('file', new Blob(['x']), 'x.txt');
  expect((await ben.browser.fetch('/api/v3/upload', { method: 'POST', body: form })).status).toBe(200);
  expect([await filesOf(ada), await filesOf(ben)]).toEqual([0, 2]);
});

test('20 files by a program that sends five at a time, with the key in the form, are stored at once', async () => {
  await using server = await startLimited();
  const account = await allowing(server);
  const statuses = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const own = [];
      for (let turn = 0; turn < 4; turn += 1) own.push((await send(server, [keyOf(account), file])).status);
      return own;
    }),
  );
  expect(statuses.flat()).toEqual(Array.from({ length: 20 }, () => 200));
  expect((await account.byKey.getFileList({ query: {} })).files).toHaveLength(20);
});

test('forms without a valid key count as calls of their address', async () => {
  await using server = await startLimited();
  const [ada, ben] = [await allowing(server), await signUpAndIn(server)];
  for (const first of [['api_key', newApiKey()], keyOf(ben), ['other', '']] as const) {
    server.clock.advance(seconds(60));
    const answers = [];
    for (let turn = 0; turn < 6; turn += 1) answers.push((await send(server, [first, file])).status);
    expect(answers).toEqual([401, 401, 401, 401, 429, 429]);
  }
  expect(await send(server, [keyOf(ada), file])).toMatchObject({ status: 200 });
});

const head = (port: number, ...headers: string[]) =>
  `POST /api/v3/upload HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: multipart/form-data; boundary=edge\r\n` +
  `${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
const part = (disposition: string, text: string) =>
  `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;

test('a client that waits for 100 Continue gets it once, and a file without a key is refused before its end', async ({
  server,
}) => {
  const account = await allowing(server);
  const form = `${part('name="api_key"', account.apiKey)}${part('name="file"; filename="a.txt"', 'hello')}--edge--\r\n`;
  const socket = connect(server.port, '127.0.0.1');
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString('latin1')));
  socket.write(head(server.port, 'Expect: 100-continue', `Content-Length: ${form.length}`, 'Connection: close'));
  await expect.poll(() => text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(form);
  await once(socket, 'close');
  expect(
    text
      .split('HTTP/1.1 ')
      .slice(1)
      .map((answer) => answer.slice(0, 3)),
  ).toEqual(['100', '200']);

  const endless = connect(server.port, '127.0.0.1').on('error', () => {});
  endless.write(head(server.port, 'Content-Length: 900000000') + part('name="file"; filename="a.txt"', 'x'.repeat(9)));
  const [answer] = (await once(endless, 'data')) as [Buffer];
  expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 401 /);
  endless.destroy();
  expect(await storedNames(server)).toHaveLength(1);
});

test('a form whose first fields do not arrive within ten seconds is ended', async ({ server }) => {
  await allowing(server);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  let isInvited = false;
  socket.once('data', () => (isInvited = true));
  socket.write(head(server.port, 'Expect: 100-continue', 'Content-Length: 1000'));
  await vi.waitFor(() => expect(isInvited).toBe(true));
  socket.write('--edge\r\nContent-Dispo');
  vi.advanceTimersByTime(9_000);
  await new Promise(setImmediate);
  expect(socket.closed).toBe(false);
  vi.advanceTimersByTime(1_500);
  await closed;
});

test('while no account allows it, a form without credentials is refused unread', async ({ server }) => {
  await signUpAndIn(server);
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  socket.write(head(server.port, 'Expect: 100-continue', 'Content-Length: 1000'));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 401 /);
  socket.destroy();
});
