import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { connectTo } from '../delivery/front.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { type StoredBytes, onlyStored, resize } from '../harness/stored-bytes.ts';
import { bytesAreOnS3 } from '../harness/test-blobs.ts';

const sizes = [1_000, 700_000] as const;

async function withDamage(size: number, damage: (stored: StoredBytes) => Promise<void>) {
  const server = await startServer();
  const account = await signUpAndIn(server, { plan: 'power' });
  const name = await uploadFile(server, account, new Uint8Array(randomBytes(size)), 'a.zip');
  await damage(await onlyStored(server));
  return { server, path: `/file/${name}` };
}

const damages = {
  missing: (stored: StoredBytes) => stored.remove(),
  short: (stored: StoredBytes) => resize(stored, 999),
  'too long': (stored: StoredBytes) => resize(stored, 700_001),
};

test.each(sizes.flatMap((size) => Object.keys(damages).map((kind) => [size, kind as keyof typeof damages] as const)))(
  'a file of %i bytes whose bytes are %s gives a 500 and an alarm',
  async (size, kind) => {
    const { server, path } = await withDamage(size, damages[kind]);
    await using _ = server;
    const several = { headers: { Range: 'bytes=0-1,5-9' } };
    for (const request of [{}, { headers: { Range: 'bytes=0-9' } }, several, { method: 'HEAD' }]) {
      const answer = await call(server, path, request);
      expect(answer.status, JSON.stringify(request)).toBe(500);
      if (!('method' in request)) expect(answer.text).toMatch(/^The file cannot be read/);
      expect(answer.headers.get('ETag')).toBeNull();
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    }
    expect(server.log.filter((line) => line.includes('ALARM'))).toHaveLength(4);
    // Requests that do not need the bytes still work.
    expect((await call(server, `${path}.sha256`)).status).toBe(200);
  },
);

test('if a file shrinks while it is sent, the connection is reset', async ({ skip }) => {
  skip(bytesAreOnS3, 'An object that is being read does not change.');
  await using server = await startServer();
  const account = await signUpAndIn(server, { plan: 'power' });
  const size = 20_000_000;
  const name = await uploadFile(server, account, new Uint8Array(size), 'a.zip');
  const socket = await connectTo(server.port);
  const ended = new Promise<unknown>((resolve) => socket.once('error', resolve).once('close', resolve));
  socket.write(`GET /file/${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  let received = 0;
  socket.on('data', (chunk: Buffer) => (received += chunk.length));
  await once(socket, 'data');
  // The kernel buffers a few megabytes for a client that does not read; the rest is not read from the disk yet.
  socket.pause();
  await resize(await onlyStored(server), 1_000);
  socket.resume();
  expect(await ended).toMatchObject({ code: 'ECONNRESET' });
  expect(received).toBeLessThan(size);
  expect(server.log.filter((line) => line.includes('ALARM'))).toHaveLength(1);
});
