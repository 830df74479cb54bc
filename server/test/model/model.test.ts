import * as fc from 'fast-check';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from '../harness/start-server.ts';
import { beginning, commands } from './commands.ts';
import { apply, closePairs, compare, compareBytes, openPair } from './world.ts';

/** PostgreSQL answers each of the thousands of statements over a socket: fewer runs show that it keeps the same rules. */
const numRuns = process.env['TEST_DATABASE'] === 'postgres' ? 60 : 400;

/** A disk in memory where there is one: what a power cut leaves is no subject here, and syncing would be all there is. */
const disk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

test(
  'whatever two owners, their plans and the time do, the files are those of the model',
  { timeout: 600_000 },
  async () => {
    const folder = await mkdtemp(join(disk, 'holdfast-model-'));
    await using opened = new AsyncDisposableStack();
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const server = opened.use(await startServer({ DATA_DIR: folder }));
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(beginning, beginning, commands, async (first, second, all) => {
        const pairs = [await openPair(server, first), await openPair(server, second)] as const;
        try {
          for (const each of all) {
            seen.add(await apply(server, pairs, each));
            for (const pair of pairs) await compare(server, pair);
          }
          for (const pair of pairs) {
            await compareBytes(server, pair);
            for (const { event } of pair.model.activity) seen.add(event);
            for (const outcome of pair.model.restorations) seen.add(outcome);
          }
        } finally {
          await closePairs(server, pairs);
        }
      }),
      { numRuns },
    );
    // Or the runs went past what they are for.
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'kept',
        'UPLOAD_NO_ROOM',
        'UPLOAD_TYPE_REFUSED',
        'AUTH_INVALID_KEY',
        'continuous_uploading',
        'inactivity',
        'dormancy',
        'takedown',
        'restored',
        'no room',
        'late',
      ]),
    );
  },
);
