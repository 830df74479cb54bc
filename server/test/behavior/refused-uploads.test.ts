import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { changePlans } from '@holdfast/contract/src/plans.ts';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { expect } from 'vitest';
import { type BlobStore, BlobsUnavailable } from '../../src/storage/blobs/blobs.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { type TestServer } from '../harness/start-server.ts';
import { formWith, sendForm, sha256 } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { moreThanOneSlab } from '../harness/test-blobs.ts';
import { test } from '../harness/server-test.ts';

test('a file of exactly the size limit is stored, and one byte more is refused with 413', async ({
  server,
  account,
}) => {
  Object.assign(server.context.config, { plans: changePlans({ free: { maxFileSize: 1_000_000 } }) });
  const largest = Buffer.alloc(1_000_000, 'holdfast');
  const kept = await sendForm(server, account, formWith(largest, 'largest.zip'));
  expect(kept).toMatchObject({ status: 200 });
  const { files } = await account.byKey.getFileList({ query: {} });
  expect(files).toMatchObject([{ size: largest.length, sha256: sha256(largest) }]);
  const refused = await sendForm(server, account, formWith(Buffer.alloc(1_000_001), 'larger.zip'));
  expect(refused).toEqual({ status: 413, success: false, error: 'The file is larger than your plan allows.' });
  expect(await storedNames(server)).toHaveLength(1);
});

test('the Free plan accepts the listed extensions only, and paid plans accept all', async ({ server }) => {
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

test('a fifth upload waits for its turn, uninvited and unread, and one whose client goes away has none', async ({
  server,
}) => {
  const account = await signUpAndIn(server);
  using stalled = startStalledUploads(server, account.apiKey, 4);
  await expect.poll(() => storedNames(server)).toHaveLength(4);
  const body = `${partHead}hello\r\n--edge--\r\n`;
  const ask = () => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    socket.write(`${headOf(account.apiKey)}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`);
    const responses: string[] = [];
    socket.on('data', (text) => responses.push(String(text)));
    return { socket, responses };
  };
  const [gone, next] = [ask(), ask()];
  // Later calls of the account are answered, so both have arrived and wait.
  await account.byKey.getFileList({ query: {} });
  gone.socket.destroy();
  expect(next.responses).toEqual([]);
  stalled.cutOff();
  await expect.poll(() => next.responses.join('')).toMatch(/^HTTP\/1.1 100 Continue/);
  next.socket.write(body);
  await expect.poll(() => next.responses.join('')).toMatch(/HTTP\/1.1 200 OK/);
  next.socket.destroy();
  expect((await account.byKey.getFileList({ query: {} })).files).toHaveLength(1);
});

test('a large upload that is cut off at any byte leaves no bytes and no open file', async ({ server, account }) => {
  const length = 5_000_000;
  for (const sent of [1, 1_000_000, 1_048_576, 2_100_000, 4_999_999]) {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    socket.write(`${headOf(account.apiKey)}Content-Length: ${length + partHead.length + 100}\r\n\r\n${partHead}`);
    socket.write(randomBytes(sent));
    if (sent > moreThanOneSlab) await expect.poll(() => storedNames(server)).toHaveLength(1);
    await new Promise((resolve) => socket.end(() => resolve(null)));
    await expect.poll(() => storedNames(server), { message: `${sent} bytes` }).toEqual([]);
    await expect.poll(() => openBlobs(server), { message: `${sent} bytes` }).toEqual([]);
  }
});

/** Blobs that this process, in which the server runs, has open. Only Linux lists them. */
function openBlobs({ dataDir }: TestServer): string[] {
  if (process.platform !== 'linux') return [];
  const paths = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return 'closed meanwhile';
    }
  });
  return paths.filter((path) => path.startsWith(join(dataDir, 'blobs')) && !path.endsWith('.lock'));
}

test('an upload that passes the free quota is refused at once, however slowly the rest would arrive', async ({
  server,
}) => {
  const account = await signUpAndIn(server);
  await storeRows(server, account, [{ size: 500_000_000 - moreThanOneSlab }]);
  const chunk = (bytes: Buffer | string) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes as string), Buffer.from('\r\n')]);
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  socket.write(`${headOf(account.apiKey)}Transfer-Encoding: chunked\r\n\r\n`);
  socket.write(chunk(partHead));
  socket.write(chunk(randomBytes(moreThanOneSlab)));
  await expect.poll(() => storedNames(server)).toHaveLength(1);
  const response = once(socket, 'data');
  socket.write(chunk(Buffer.alloc(1)));
  expect(String(await response)).toMatch(/^HTTP\/1.1 403 /);
  expect(await storedNames(server)).toEqual([]);
  socket.destroy();
});

test('an upload that the storage cannot take right now is a 503, leaves nothing, and succeeds when it is sent again', async ({
  server,
}) => {
  const account = await signUpAndIn(server);
  const { blobs } = server.context;
  const write = blobs.write.bind(blobs);
  const unavailable: BlobStore['write'] = async (id, source) => {
    await write(id, source, () => {
      throw new BlobsUnavailable('a thread has ended');
    });
    throw new Error('unreachable');
  };
  Object.assign(blobs, { write: unavailable });
  expect(await sendForm(server, account, formWith('x'))).toEqual({
    status: 503,
    success: false,
    error: 'The service is not available right now. Try again later.',
  });
  expect(await storedNames(server)).toEqual([]);
  Object.assign(blobs, { write });
  expect(await sendForm(server, account, formWith('x'))).toMatchObject({ status: 200 });
});

const partHead = '--edge\r\nContent-Disposition: form-data; name="file"; filename="slow.zip"\r\n\r\n';
const headOf = (apiKey: string) =>
  `POST /api/v3/upload HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\n` +
  'Content-Type: multipart/form-data; boundary=edge\r\n';

/** Uploads that promise ten times the bytes that they send, and wait. */
function startStalledUploads(server: TestServer, apiKey: string, count: number) {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`${headOf(apiKey)}Content-Length: 11000000\r\n\r\n${partHead}`);
    socket.write(randomBytes(moreThanOneSlab));
    return socket;
  });
  const cutOff = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { cutOff, [Symbol.dispose]: cutOff };
}
