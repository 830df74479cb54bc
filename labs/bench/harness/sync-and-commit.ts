import { mkdir } from 'node:fs/promises';
import { runProgram } from './children.ts';
import { smallBytes } from './small-uploads.ts';

/** Stores small files durably with no server, one after the other, and returns the files a second. */
export async function syncAndCommit(folder: string, files: number): Promise<number> {
  await mkdir(folder, { recursive: true });
  const args = ['labs/bench/peers/sync-and-commit.ts', folder, String(files), String(smallBytes)];
  return files / Number((await runProgram(process.execPath, args)).output);
}
