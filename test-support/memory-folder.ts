import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const inMemory = '/dev/shm';
const enough = 2_000_000_000;

/**
 * Returns a folder for the data of tests. It is in memory where the system has one with enough space: no data outlives a
 * test, so waiting for the disk proves nothing. Programs may not be executable there.
 */
export function memoryFolder(): string {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    if (bavail * bsize >= enough) return inMemory;
  } catch {
    // Only Linux has it.
  }
  return tmpdir();
}
