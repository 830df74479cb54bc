import { createWriteStream, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const megabyte = 1024 * 1024;
const reserveBytes = 16 * megabyte;
const low = 4 * megabyte;

/** Uploads leave this to the database: more than a reserve that was given up. */
export const leftToDatabase = 32 * megabyte;
const plenty = reserveBytes + leftToDatabase;

export const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/**
 * A file that gives its space to the database when a disk is full: SQLite needs some to delete rows, and even to be
 * opened.
 */
export function openReserve(database: string, free = () => freeBytes(dirname(database))) {
  const path = `${database}-reserve`;
  const isWhole = () => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= reserveBytes;
  return {
    releaseIfFull(): void {
      if (free() < low) rmSync(path, { force: true });
    },
    async fill(): Promise<void> {
      if (isWhole() || free() < plenty) return;
      // Some file systems store zeros in no space.
      const bytes = Readable.from(Array.from({ length: 16 }, () => randomBytes(megabyte)));
      await pipeline(bytes, createWriteStream(path, { mode: 0o600 })).catch(() => rmSync(path, { force: true }));
    },
  };
}
