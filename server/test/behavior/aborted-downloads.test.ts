import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { expect, onTestFinished, vi } from 'vitest';
import { connectTo } from '../delivery/front.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, sha256, uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

const bytes = new Uint8Array(randomBytes(3_000_000));

async function uploadTo(server: TestServer, plan: 'free' | 'power'): Promise<{ account: SignedIn; name: string }> {
  const account = await signUpAndIn(server, { plan });
  return { account, name: await uploadFile(server, account, bytes, 'a.zip') };
}

test('300 clients that read nothing do not block another download', async ({ server }) => {
  const { name } = await uploadTo(server, 'power');
  const idle = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const socket = await connectTo(server.port);
      socket.on('error', () => {}).pause();
      socket.write(`GET /file/${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      return socket;
    }),
  );
  const answer = await fetch(fileUrl(server, name));
  expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(sha256(bytes));
  for (const socket of idle) socket.destroy();
});

test('a download of a file that is deleted meanwhile is completed', async ({ server }) => {
  const { account, name } = await uploadTo(server, 'free');
  const answer = await fetch(fileUrl(server, name), { headers: { Range: 'bytes=0-299999' } });
  await account.byKey.deleteFiles({ body: { files: [name] } });
  expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(sha256(bytes.subarray(0, 300_000)));
  expect((await fetch(fileUrl(server, name))).status).toBe(404);
});

test('pipelined requests are answered in order, each with its own bytes', async ({ server }) => {
  const { name } = await uploadTo(server, 'power');
  const socket = await connectTo(server.port);
  const ranges = Array.from({ length: 40 }, (_, at) => [at * 1_000, at * 1_000 + 200_000 + at] as const);
  const requests = ranges.map(
    ([start, end], at) =>
      `GET /file/${name} HTTP/1.1\r\nHost: localhost\r\nRange: bytes=${start}-${end}\r\n` +
      `Connection: ${at === ranges.length - 1 ? 'close' : 'keep-alive'}\r\n\r\n`,
  );
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(requests.join(''));
  await once(socket, 'close');
  let rest = Buffer.concat(chunks);
  for (const [start, end] of ranges) {
    const head = rest.indexOf('\r\n\r\n') + 4;
    expect(rest.toString('latin1', 0, head)).toContain(`Content-Range: bytes ${start}-${end}/`);
    expect(rest.subarray(head, head + end - start + 1).equals(bytes.subarray(start, end + 1))).toBe(true);
    rest = rest.subarray(head + end - start + 1);
  }
  expect(rest.length).toBe(0);
});

test('waiting pipelined requests hold no descriptors', async ({ server }) => {
  const { name } = await uploadTo(server, 'power');
  let opened = 0;
  const { blobs } = server.context;
  const open = blobs.open.bind(blobs);
  blobs.open = (...range) => {
    opened += 1;
    return open(...range);
  };
  const request = `GET /file/${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const patient = (await connectTo(server.port)).pause();
  patient.write(request.repeat(60));
  // Each connection has at most one response in progress, regardless of the number of requests.
  await (await fetch(fileUrl(server, name), { headers: { Range: 'bytes=0-9' } })).arrayBuffer();
  expect(opened).toBeLessThanOrEqual(6);
  patient.destroy();
});

test('a GET with a body is not treated as a slow upload', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await using server = await startServer();
  const { name } = await uploadTo(server, 'free');
  for (const body of [
    'Content-Length: 0\r\n\r\n',
    'Content-Length: 2\r\n\r\n{}',
    'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ]) {
    const socket = await connectTo(server.port);
    const ended = once(socket, 'close');
    let received = 0;
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    socket.write(
      `GET /file/${name} HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-199999\r\nConnection: close\r\n${body}`,
    );
    await once(socket, 'data');
    vi.advanceTimersByTime(60_000);
    await ended;
    expect(received, body).toBeGreaterThan(200_000);
  }
});
