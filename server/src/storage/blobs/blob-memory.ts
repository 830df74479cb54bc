import type { BlobId } from './blobs.ts';

/** Copies of blobs, and accesses to them, that a process keeps in memory. */
export interface BlobMemory {
  /** Drops the copies of these blobs. Call it after the commit that deletes their files or replaces their bytes. */
  forget(ids: Iterable<BlobId>): void;
  /** Flushes accesses that are still only in memory. A process that serves no files has none. */
  writeAccesses?(): Promise<void>;
}

/**
 * The memory of a process that serves no files. A server looks a file up before it returns bytes from its own memory, so
 * it needs no notice from another process.
 */
export const noBlobMemory: BlobMemory = { forget() {} };
