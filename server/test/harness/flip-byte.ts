import { open } from 'node:fs/promises';

/** Simulates a disk that loses a bit: the size does not change. */
export async function flipByte(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, 0);
  await file.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, 0);
}
