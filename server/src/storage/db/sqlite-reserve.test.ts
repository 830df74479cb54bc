import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { expect, onTestFinished, test } from 'vitest';
import { openReserve } from './sqlite-reserve.ts';

const megabyte = 1024 * 1024;

async function prepare() {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-reserve-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const disk = { free: 100 * megabyte };
  const path = join(folder, 'test.db');
  return { folder, disk, path: `${path}-reserve`, reserve: openReserve(path, () => disk.free) };
}

test('a full disk gets the space of the reserve, which is filled again when there is plenty', async () => {
  const { folder, disk, path, reserve } = await prepare();
  await reserve.fill();
  expect((await stat(path)).size).toBe(16 * megabyte);
  reserve.releaseIfFull();
  expect(await readdir(folder)).toHaveLength(1);
  disk.free = 3 * megabyte;
  reserve.releaseIfFull();
  expect(await readdir(folder)).toEqual([]);
  disk.free = 47 * megabyte;
  await reserve.fill();
  expect(await readdir(folder)).toEqual([]);
  // A killed process may have left a part.
  await writeFile(path, 'part');
  disk.free = 49 * megabyte;
  await reserve.fill();
  expect((await stat(path)).size).toBe(16 * megabyte);
});
