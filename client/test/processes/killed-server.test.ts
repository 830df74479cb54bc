import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { addUploaders, openPlace } from '@holdfast/server/test/harness/place.ts';
import { startService } from '@holdfast/server/test/harness/real-process.ts';
import { createTestDatabase } from '@holdfast/server/test/harness/test-database.ts';
import { sha256 } from '@holdfast/server/test/harness/uploads.ts';
import { expect, test } from 'vitest';
import { createHoldfast } from '../../src/client.ts';

test('an upload during which the server is killed twice arrives, and goes on where it was', async () => {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createTestDatabase());
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-client-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const place = await openPlace(folder, database.url);
  let server = await startService(place);
  stack.defer(() => server[Symbol.asyncDispose]());
  const [{ apiKey } = { apiKey: '' }] = await addUploaders(place, 1);
  const bytes = randomBytes(100_000_000);
  const kills = [40_000_000, 80_000_000];
  /** Offsets of the first progress after each kill. */
  const resumed: number[] = [];
  let killing: Promise<void> | null = null;
  let isResuming = false;
  const holdfast = createHoldfast({
    url: `http://127.0.0.1:${place.port}`,
    apiKey,
    // The server is back when the client asks again.
    async pause() {
      await killing;
      if (killing) server = await startService(place);
      killing = null;
      isResuming = true;
    },
  });
  const { url } = await holdfast.upload(new Blob([bytes]), {
    name: 'pack.zip',
    sha256: sha256(bytes),
    onProgress({ sent }) {
      if (isResuming) resumed.push(sent);
      isResuming = false;
      if (killing || sent < (kills[0] ?? Infinity)) return;
      kills.shift();
      killing = server.kill();
    },
  });
  expect(kills).toEqual([]);
  const [first = 0, second = 0] = resumed;
  // The server syncs every 16 MB.
  expect(first).toBeGreaterThan(16_000_000);
  expect(second).toBeGreaterThan(first);
  expect(await holdfast.getDigest(url)).toBe(sha256(bytes));
});
