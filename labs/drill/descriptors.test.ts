import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectTo } from '../../server/test/delivery/front.ts';
import { signUpAndIn } from '../../server/test/harness/accounts.ts';
import { startServer, type TestServer } from '../../server/test/harness/start-server.ts';
import { fileUrl, sha256, uploadFile } from '../../server/test/harness/uploads.ts';

const bytes = new Uint8Array(randomBytes(3_000_000));

/** Counts the descriptors of this process, in which the server runs, and those among them that are stored files. */
function descriptors({ dataDir }: TestServer): { all: number; blobs: number } {
  // The process holds the lock of its temp files as long as it lives.
  const isBlob = (path: string) => path.startsWith(join(dataDir, 'blobs')) && !path.endsWith('.lock');
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return 'closed meanwhile';
    }
  });
  return { all: targets.length, blobs: targets.filter(isBlob).length };
}

/** Some abort before any byte arrives, some after the headers, some after a part of the bytes. */
async function abortDownload(server: TestServer, name: string, at: number): Promise<void> {
  const socket = await connectTo(server.port);
  socket.on('error', () => {});
  const range = at % 3 === 0 ? 'Range: bytes=100-2000000,5-9\r\n' : '';
  // Each uses its own address, so that no bucket delays it.
  const from = `X-Forwarded-For: 10.0.${at >> 8}.${at & 0xff}\r\n`;
  socket.write(`GET /file/${name} HTTP/1.1\r\nHost: localhost\r\n${range}${from}\r\n`);
  const enough = at % 4 === 0 ? 0 : (at * 997) % 60_000;
  let received = 0;
  if (enough > 0)
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk: Buffer) => (received += chunk.length) > enough && resolve());
      socket.once('close', () => resolve());
    });
  socket.resetAndDestroy();
  await once(socket, 'close');
}

// Only Linux lists the open descriptors.
test.skipIf(process.platform !== 'linux').each(['free', 'power'] as const)(
  '2,000 resets of %s downloads leave no descriptor open',
  async (plan) => {
    await using server = await startServer({ TRUST_PROXY: '127.0.0.1' });
    const name = await uploadFile(server, await signUpAndIn(server, { plan }), bytes, 'a.zip');
    const first = async () => {
      const answer = await fetch(fileUrl(server, name), { headers: { Range: 'bytes=0-99999' } });
      return sha256(new Uint8Array(await answer.arrayBuffer()));
    };
    await first();
    const before = descriptors(server);
    for (let round = 0; round < 20; round += 1)
      await Promise.all(Array.from({ length: 100 }, (_, at) => abortDownload(server, name, round * 100 + at)));
    await expect.poll(() => descriptors(server).blobs, { timeout: 5_000 }).toBe(0);
    // The pools of the database and of the client may have opened more connections.
    await expect.poll(() => descriptors(server).all, { timeout: 5_000 }).toBeLessThan(before.all + 100);
    expect(await first()).toBe(sha256(bytes.subarray(0, 100_000)));
    expect(server.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  },
);
