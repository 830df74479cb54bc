import * as fc from 'fast-check';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from '../harness/start-server.ts';
import { beginning, commands } from './commands.ts';
import { apply, compare, compareBytes, openWorld } from './world.ts';

/**
 * PostgreSQL executes each of the thousands of statements over a socket: fewer runs show that it follows the same
 * rules.
 */
const numRuns = process.env['TEST_DATABASE'] === 'postgres' ? 20 : 100;

const mustHappen = [
  'kept',
  'UPLOAD_QUOTA_EXCEEDED',
  'UPLOAD_TYPE_REFUSED',
  'AUTH_INVALID_KEY',
  'continuous_uploading',
  'inactivity',
  'dormancy',
  'takedown',
  'restored',
  'over quota',
  'late',
  'brought back',
  'no space',
  'lose everything',
];

/** A RAM disk if there is one: power cuts are not tested here, and syncing would take all the time. */
const disk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

test(
  'after any actions of two owners, plan changes and time, the files are those of the model',
  { timeout: 600_000 },
  async () => {
    const folder = await mkdtemp(join(disk, 'holdfast-model-'));
    await using opened = new AsyncDisposableStack();
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const server = opened.use(await startServer({ DATA_DIR: folder }));
    const seen = new Set<string>();
    const rules = fc.asyncProperty(beginning, beginning, commands, async (first, second, all) => {
      const world = await openWorld(server, first, second);
      for (const each of all) {
        seen.add(await apply(world, each));
        await compare(world);
      }
      await compareBytes(world);
      for (const { activity, restorations } of world.model.accounts) {
        for (const { event } of activity) seen.add(event);
        for (const outcome of restorations) seen.add(outcome);
      }
    });
    await fc.assert(rules, { numRuns });
    // A small number of runs may miss one of the expected events by chance; a large number does not.
    const missed = () => mustHappen.filter((each) => !seen.has(each));
    for (let seed = 1; seed <= 20 && missed().length > 0; seed += 1) await fc.assert(rules, { numRuns: 10, seed });
    expect(missed()).toEqual([]);
  },
);
