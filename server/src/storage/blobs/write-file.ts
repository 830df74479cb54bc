import type { FileHandle } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { ByteReader } from '../../lib/byte-reader.ts';
import type { WrittenBytes } from './blobs.ts';
import { type NewFilePaths, openWriteThreads, type PlacedFile } from './write-threads.ts';

export interface FileWriter extends AsyncDisposable {
  /**
   * Reads `source` until its end or until there is enough to write.
   * @throws the error of `source`.
   */
  begin(source: ByteReader): Promise<BegunWrite>;
}

/** A write whose first bytes are in memory. One of both methods is called, once. */
export interface BegunWrite extends Disposable {
  /** True if all bytes are in memory: only then it can be placed. */
  readonly isWhole: boolean;
  /**
   * Creates the file, writes and hashes it, and moves it into its place. Nothing is synced, and the caller closes both
   * descriptors.
   * @throws the error of the file system, or BlobsUnavailable when the thread has died. Then either path may exist.
   */
  place(paths: NewFilePaths): Promise<WrittenBytes & Pick<PlacedFile, 'fd' | 'folderFd'>>;
  /**
   * Writes all bytes of the source to an empty file and hashes them. The file is not synced, and when it settles nothing
   * uses its descriptor any more.
   * @throws the error of the source or of the file system, or BlobsUnavailable when a thread has died.
   */
  writeTo(file: FileHandle): Promise<WrittenBytes>;
}

/** Slabs are large because each one costs a message to a thread and back, and used again because new memory is slow. */
export const slabBytes = 1024 * 1024;
/** With many writes at once they are small: slower, but the memory stays bounded. */
const slabBytesInNeed = 32 * 1024;
const largeWrites = 8;
/** One fills while a thread has the others. */
const slabsPerWrite = 3;

const syncEveryBytes = 16 * 1024 * 1024;
/** Each occupies one of the threads that all other file calls share, for as long as the disk takes. */
const mostSyncs = 2;

/** @param program that of the threads, for tests. */
export function openFileWriter(program?: URL): FileWriter {
  const threads = openWriteThreads(availableParallelism(), program);
  // Whole files do not wait behind the slabs of large ones.
  const placers = openWriteThreads(1, program);
  const spare: ArrayBuffer[] = [];
  let writes = 0;
  let syncs = 0;

  const giveBack = (slab: ArrayBuffer) => {
    if (slab.byteLength === slabBytes && spare.length < largeWrites * slabsPerWrite) spare.push(slab);
  };

  /** Writes a file back while it still grows, so that its last sync has little left to do. */
  function openEarlySync(file: FileHandle) {
    let unsynced = 0;
    let isRunning = false;
    // A failed sync is not tried again: the kernel may have dropped the pages.
    let done: Promise<void> = Promise.resolve();
    return {
      noteWritten(bytes: number) {
        unsynced += bytes;
        if (unsynced < syncEveryBytes || isRunning || syncs === mostSyncs) return;
        [unsynced, isRunning, syncs] = [0, true, syncs + 1];
        done = done.then(() => file.datasync()).finally(() => ([isRunning, syncs] = [false, syncs - 1]));
        done.catch(() => {});
      },
      end: () => done,
    };
  }

  async function writeInThread(file: FileHandle, first: Filled, next: (slab?: ArrayBuffer) => Promise<Filled>) {
    using stream = threads.stream({ fd: file.fd });
    const sync = openEarlySync(file);
    const inThread: Promise<ArrayBuffer>[] = [];
    const append = async ({ slab, length }: Filled) => {
      const returned = await stream.append(slab, length);
      sync.noteWritten(length);
      return returned.slab;
    };
    let size = 0;
    try {
      for (let filled = first; ;) {
        size += filled.length;
        const appended = append(filled);
        // It may reject before it is awaited.
        appended.catch(() => {});
        inThread.push(appended);
        if (filled.last) break;
        // Slabs come back in the order in which they were sent.
        filled = await next(inThread.length < slabsPerWrite ? undefined : await inThread.shift());
      }
      const [{ sha256 }] = await Promise.all([stream.digests(), ...inThread]);
      await sync.end();
      return { size, sha256 };
    } finally {
      // The caller closes the descriptor next, and the system gives its number to another file.
      for (const end of await Promise.allSettled(inThread)) if (end.status === 'fulfilled') giveBack(end.value);
      await sync.end().catch(() => {});
    }
  }

  return {
    async begin(source) {
      writes += 1;
      const bytes = writes > largeWrites ? slabBytesInNeed : slabBytes;
      const newSlab = () => (bytes === slabBytes ? spare.pop() : undefined) ?? new ArrayBuffer(bytes);
      const next = (slab = newSlab()) =>
        fillSlab(source, slab).catch((error: unknown) => {
          giveBack(slab);
          throw error;
        });
      try {
        const first = await next();
        return {
          isWhole: first.last,
          async place(paths) {
            const { slab, fd, folderFd, sha256 } = await placers.place(paths, first.slab, first.length);
            giveBack(slab);
            return { fd, folderFd, sha256, size: first.length };
          },
          writeTo: (file) => writeInThread(file, first, next),
          [Symbol.dispose]: () => void (writes -= 1),
        };
      } catch (error) {
        writes -= 1;
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([threads[Symbol.asyncDispose](), placers[Symbol.asyncDispose]()]);
    },
  };
}

interface Filled {
  readonly slab: ArrayBuffer;
  readonly length: number;
  /** True at the end of the source. */
  readonly last: boolean;
}

/** Fills a slab until it is full or the source has ended. */
async function fillSlab(source: ByteReader, slab: ArrayBuffer): Promise<Filled> {
  for (let length = 0; ;) {
    const count = await source.read(Buffer.from(slab, length));
    if (count === 0) return { slab, length, last: true };
    length += count;
    if (length === slab.byteLength) return { slab, length, last: false };
  }
}
