import { open } from 'node:fs/promises';
import { blockBytes } from './payload.ts';

/** Returns the seconds that this disk needs to write and sync a file's bytes with no other work. */
export async function writeSynced(from: string, to: string): Promise<number> {
  await using source = await open(from, 'r');
  await using target = await open(to, 'wx');
  const block = Buffer.alloc(blockBytes);
  const start = performance.now();
  for (;;) {
    const { bytesRead } = await source.read(block, 0, blockBytes);
    if (bytesRead === 0) break;
    await target.write(block, 0, bytesRead);
  }
  await target.sync();
  return (performance.now() - start) / 1000;
}
