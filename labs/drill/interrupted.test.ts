/** Kills and power cuts at random moments of 52 uploads at once. `npm run lab -- soak` runs many more rounds. */
import { expect, onTestFinished, test } from 'vitest';
import { BrokenPromise } from '../load/broken-promise.ts';
import { cutDisk, openCutDisk } from '../load/cut-disk.ts';
import { cutPower, killUnderUploads } from '../load/interrupt.ts';
import { newFolder, newTestPlace } from '../../server/test/harness/new-place.ts';
import { bytesAreOnS3 } from '../../server/test/harness/test-blobs.ts';
import { strace } from '../load/strace.ts';

const rounds = process.env['LONG_DRILL'] === undefined ? 3 : 30;

test('every upload that was acknowledged before a kill is whole after it', async () => {
  expect(await killUnderUploads(await newTestPlace(), { rounds })).toBeGreaterThan(rounds * 20 - 1);
});

/** The bytes of a store are on no disk that these tests can cut. */
const cannotCut = bytesAreOnS3 || cutDisk() !== null;

async function newCutDisk() {
  const disk = await openCutDisk(await newFolder());
  onTestFinished(() => disk[Symbol.asyncDispose]());
  return disk;
}

test.skipIf(cannotCut)('every upload that was acknowledged before a power cut is whole after it', async () => {
  const disk = await newCutDisk();
  expect(await cutPower(await newTestPlace(disk.path), disk, true, { rounds })).toBeGreaterThan(rounds * 20 - 1);
});

test.skipIf(cannotCut || strace() !== null)(
  'without its syncs the same power cut loses acknowledged uploads',
  async () => {
    const disk = await newCutDisk();
    const lost = cutPower(await newTestPlace(disk.path), disk, false, { rounds: 1 });
    await expect(lost).rejects.toBeInstanceOf(BrokenPromise);
  },
);
