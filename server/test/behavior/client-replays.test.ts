/**
 * Requests of published programs, byte by byte as they send them: the order and case of their headers, their boundaries,
 * and how they quote the name of a file. Only addresses, keys and lengths are filled in.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { sha1, sha256, storedNameOf } from '../harness/uploads.ts';
import { once } from 'node:events';
import { connect } from 'node:net';

interface Replayed {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Sends the bytes of a request on a connection of its own, as another program has sent them. With `Expect: 100-continue`
 * the body follows when it is invited. The connection stays open like that of the program, so the length of the response
 * tells where it ends.
 */
async function replay({ port }: TestServer, head: readonly string[], body: Buffer | string = ''): Promise<Replayed> {
  const socket = connect(port, '127.0.0.1');
  let received = Buffer.alloc(0);
  const more = async () => {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    received = Buffer.concat([received, chunk]);
  };
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  if (head.includes('Expect: 100-continue')) {
    while (!received.includes('\r\n\r\n')) await more();
    if (received.toString('latin1') !== 'HTTP/1.1 100 Continue\r\n\r\n') throw new Error('the body was not invited');
    received = Buffer.alloc(0);
  }
  socket.write(body);
  while (!received.includes('\r\n\r\n')) await more();
  const end = received.indexOf('\r\n\r\n');
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const start = end + 4;
  while (received.length < start + Number(headers['content-length'] ?? 0)) await more();
  socket.destroy();
  return { status: Number(first.split(' ')[1]), headers, body: received.subarray(start) };
}

let server: TestServer;
let account: SignedIn;
let host: string;
beforeAll(async () => {
  server = await startServer();
  account = await signUpAndIn(server, { plan: 'starter' });
  host = `127.0.0.1:${server.port}`;
});
afterAll(() => server[Symbol.asyncDispose]());

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(5_000)]);

/** The parts of a form; each text ends where the next bytes begin. */
const bodyOf = (...pieces: (string | Buffer)[]) => Buffer.concat(pieces.map((piece) => Buffer.from(piece)));

async function newest() {
  const { file_list } = await account.byKey.getFileList({ query: { limit: 1 } });
  const [file] = file_list;
  if (!file) throw new Error('nothing was stored');
  return file;
}

/** Expects that an upload succeeded, by what these programs read of the response, and returns its link. */
async function expectStored(
  { status, headers, body }: Awaited<ReturnType<typeof replay>>,
  name: string,
  bytes: Buffer | string,
): Promise<string> {
  expect(status, body.toString()).toBe(200);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const { success, url } = JSON.parse(body.toString()) as { success: boolean; url: string };
  expect(success).toBe(true);
  expect(await newest()).toMatchObject({ original_name: name, sha256: sha256(bytes), name: storedNameOf(url) });
  return url;
}

/** ShareX on Windows, by .NET's HttpWebRequest. */
const shareX = {
  head: (port: number, length: number, ...headers: string[]) => [
    'POST /api/v3/upload HTTP/1.1',
    ...headers,
    'Content-Type: multipart/form-data; boundary=--------------------8dd0f1a2b3c4d5e',
    'User-Agent: ShareX/17.0.0',
    `Host: 127.0.0.1:${port}`,
    `Content-Length: ${length}`,
    'Connection: Keep-Alive',
  ],
  file: (name: string) =>
    '----------------------8dd0f1a2b3c4d5e\r\n' +
    `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`,
  end: '\r\n----------------------8dd0f1a2b3c4d5e--\r\n',
};

test("ShareX's custom uploader stores a screenshot whose name is not ASCII, and reads its link", async () => {
  const name = 'Снимок экрана (1).png';
  const body = bodyOf(shareX.file(name), png, shareX.end);
  const head = shareX.head(server.port, body.length, `X-API-Key: ${account.apiKey}`);
  const url = await expectStored(await replay(server, head, body), name, png);
  expect(url).toMatch(/\.png$/);
});

test("ShareX's built-in uploader sends the key in the form, and reads why it is refused", async () => {
  const name = 'ShareX_9xkq2.png';
  const key = `----------------------8dd0f1a2b3c4d5e\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n`;
  const body = bodyOf(key, account.apiKey, '\r\n', shareX.file(name), png, shareX.end);
  const refused = await replay(server, shareX.head(server.port, body.length), body);
  expect(refused.status).toBe(401);
  expect(JSON.parse(refused.body.toString())).toEqual({
    success: false,
    error: expect.stringMatching(/'api_key'.*Account Info page/),
  });
  await account.browser.client.setKeyInForm({ body: { allowed: true } });
  await expectStored(await replay(server, shareX.head(server.port, body.length), body), name, png);
  await account.browser.client.setKeyInForm({ body: { allowed: false } });
});

/** curl 8 since 8.1; `--form` writes a part for each field in the order of the command line. */
const curl = {
  head: (length: number, ...headers: string[]) => [
    'POST /api/v3/upload HTTP/1.1',
    `Host: ${host}`,
    'User-Agent: curl/8.14.1',
    'Accept: */*',
    ...headers,
    `Content-Length: ${length}`,
    'Content-Type: multipart/form-data; boundary=------------------------f3gYpGGtQWPHnoVmQqWf3D',
  ],
  file: (disposition: string, type: string) =>
    `--------------------------f3gYpGGtQWPHnoVmQqWf3D\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\n` +
    `Content-Type: ${type}\r\n\r\n`,
  field: (name: string, value: string) =>
    `\r\n--------------------------f3gYpGGtQWPHnoVmQqWf3D\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
  end: '\r\n--------------------------f3gYpGGtQWPHnoVmQqWf3D--\r\n',
};

test('curl waits for 100 Continue before it sends more than a megabyte', async () => {
  const bytes = randomBytes(1_500_000);
  const body = bodyOf(curl.file('filename="pack.zip"', 'application/octet-stream'), bytes, curl.end);
  const head = [...curl.head(body.length, `Authorization: Bearer ${account.apiKey}`), 'Expect: 100-continue'];
  await expectStored(await replay(server, head, body), 'pack.zip', bytes);
});

test('a step of a GitHub workflow sends an artifact again after a lost response, and gets one link', async () => {
  const bytes = randomBytes(70_000);
  const part = curl.file('filename="build.zip"', 'application/octet-stream');
  const body = bodyOf(part, bytes, curl.field('sha_1', sha1(bytes)), curl.end);
  const head = curl.head(body.length, `X-API-Key: ${account.apiKey}`, 'Idempotency-Key: 15829470113-1');
  const url = await expectStored(await replay(server, head, body), 'build.zip', bytes);
  expect(await expectStored(await replay(server, head, body), 'build.zip', bytes)).toBe(url);
  const { pagination } = await account.byKey.getFileList({ query: { search: 'build.zip' } });
  expect(pagination.total_files).toBe(1);
});

test('axios streams a form of the package form-data in chunks, without its length', async () => {
  const boundary = '--------------------------498364291750326418270593';
  const bytes = randomBytes(100_000);
  const pieces = [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="mod.jar"\r\n` +
        'Content-Type: application/java-archive\r\n\r\n',
    ),
    bytes.subarray(0, 65_536),
    bytes.subarray(65_536),
    Buffer.from('\r\n'),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  const chunks = pieces.map((piece) => bodyOf(`${piece.length.toString(16)}\r\n`, piece, '\r\n'));
  const answer = await replay(
    server,
    [
      'POST /api/v3/upload HTTP/1.1',
      'Accept: application/json, text/plain, */*',
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      `Authorization: Bearer ${account.apiKey}`,
      'User-Agent: axios/1.7.9',
      'Accept-Encoding: gzip, compress, deflate, br',
      `Host: ${host}`,
      'Connection: keep-alive',
      'Transfer-Encoding: chunked',
    ],
    bodyOf(...chunks, '0\r\n\r\n'),
  );
  await expectStored(answer, 'mod.jar', bytes);
});
