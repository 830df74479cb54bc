/** A file system in memory that can be filled at once, whatever is on it. */
import { execFile } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface SmallDisk extends AsyncDisposable {
  fill(): Promise<void>;
  empty(): Promise<void>;
}

const run = promisify(execFile);
/** Bytes. Half an hour of uploads, and deleted files keep their bytes for a day. */
const soakSize = 14_000_000_000;

/** Returns null without the right to mount. */
export async function mountSmallDisk(path: string, size = soakSize): Promise<SmallDisk | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  await mkdir(path);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'holdfast-soak', path]);
  const resize = (bytes: number) => run('mount', ['-o', `remount,size=${bytes}`, path]);
  return {
    async fill() {
      const { blocks, bfree, bsize } = await statfs(path);
      // Room for a few small files, so that some calls find the disk full half-way.
      await resize((blocks - bfree) * bsize + 100_000);
    },
    async empty() {
      await resize(size);
    },
    async [Symbol.asyncDispose]() {
      await run('umount', [path]);
    },
  };
}
