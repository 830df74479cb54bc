import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { blobsOnDisk, fileUrl, formWith, sendForm, sha256, storedNameOf } from '../harness/uploads.ts';

test('a file of exactly the size limit is stored, and one byte more is refused with 413', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const largest = Buffer.alloc(100_000_000, 'holdfast');
  const kept = await sendForm(server, account, formWith(largest, 'largest.zip'));
  expect(kept).toMatchObject({ status: 200 });
  // Compares the server's own digest and the bytes at both ends: at the speed of this plan, all of it takes minutes.
  const { files } = await account.byKey.getFileList({ query: {} });
  expect(files).toMatchObject([{ size: largest.length, sha256: sha256(largest) }]);
  const end = await fetch(fileUrl(server, storedNameOf(kept.url)), { headers: { Range: 'bytes=-40000' } });
  expect(Buffer.from(await end.arrayBuffer()).equals(largest.subarray(-40_000))).toBe(true);
  const refused = await sendForm(server, account, formWith(Buffer.alloc(100_000_001), 'larger.zip'));
  expect(refused).toEqual({ status: 413, success: false, error: 'The file is larger than your plan allows.' });
  expect(await blobsOnDisk(server)).toHaveLength(1);
});

test('the Free plan accepts the listed extensions only, and paid plans accept all', async () => {
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

test('a fifth concurrent upload is refused until another has ended', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  using stalled = startStalledUploads(server, account.apiKey, 4);
  await expect.poll(() => blobsOnDisk(server)).toHaveLength(4);
  expect(await sendForm(server, account, formWith('x'))).toMatchObject({ status: 429 });
  stalled.cutOff();
  await expect.poll(async () => (await sendForm(server, account, formWith('x'))).status).toBe(200);
});

test('an aborted upload leaves no bytes and no file', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  using stalled = startStalledUploads(server, account.apiKey, 1);
  await expect.poll(() => blobsOnDisk(server)).toHaveLength(1);
  stalled.cutOff();
  await expect.poll(() => blobsOnDisk(server)).toHaveLength(0);
  expect((await account.byKey.getFileList({ query: {} })).files).toEqual([]);
});

/** Uploads that promise ten times the bytes that they send, and wait. */
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
