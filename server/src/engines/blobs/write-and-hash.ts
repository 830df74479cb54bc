import type { FileHandle } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { ByteReader } from '../../lib/byte-reader.ts';
import type { WrittenBytes } from './blobs.ts';
import { openEarlySyncs, type StartEarlySync } from './early-sync.ts';
import { createSlabs, type LentSlabs, slabsPerWrite } from './slabs.ts';
import { type NewFilePaths, openWriteThreads, type PlacedFile, type WriteThreads } from './write-threads.ts';

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

/** A slow upload must write from time to time: a temp file without writes for ten minutes is swept away. */
const oneMinute = 60_000;

interface FileWriterOptions {
  /** Milliseconds after which a slab is written although it is not full. */
  readonly longestFillMs?: number;
  /** The program of the threads, for tests. */
  readonly program?: URL;
}

/**
 * While a thread writes and hashes one slab of a file, the next one fills. Whole files have a thread of their own, so
 * that they do not wait behind the slabs of large ones.
 */
export function openFileWriter({ longestFillMs = oneMinute, program }: FileWriterOptions = {}): FileWriter {
  const threads = openWriteThreads(availableParallelism(), program);
  const placers = openWriteThreads(1, program);
  const slabs = createSlabs();
  const startSync = openEarlySyncs();
  return {
    async begin(source) {
      const lent = slabs.lend();
      const fill = (slab: ArrayBuffer) =>
        fillSlab(source, slab, longestFillMs).catch((error: unknown) => {
          lent.giveBack(slab);
          throw error;
        });
      try {
        const first = await fill(lent.take());
        return {
          isWhole: first.last,
          async place(paths) {
            const { slab, ...placed } = await placers.place(paths, first.slab, first.length);
            lent.giveBack(slab);
            return { ...placed, size: first.length };
          },
          writeTo: (file) => writeInThread({ file, fill, lent, threads, startSync }, first),
          [Symbol.dispose]: () => lent[Symbol.dispose](),
        };
      } catch (error) {
        lent[Symbol.dispose]();
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

/** Fills a slab until it is full, the source has ended, or `longestMs` have passed. */
async function fillSlab(source: ByteReader, slab: ArrayBuffer, longestMs: number): Promise<Filled> {
  const started = performance.now();
  let length = 0;
  do {
    const count = await source.read(Buffer.from(slab, length));
    if (count === 0) return { slab, length, last: true };
    length += count;
  } while (length < slab.byteLength && performance.now() - started < longestMs);
  return { slab, length, last: false };
}

interface ThreadJob {
  readonly file: FileHandle;
  readonly fill: (slab: ArrayBuffer) => Promise<Filled>;
  readonly lent: LentSlabs;
  readonly threads: WriteThreads;
  readonly startSync: StartEarlySync;
}

async function writeInThread(job: ThreadJob, first: Filled): Promise<WrittenBytes> {
  const { file, fill, lent, threads, startSync } = job;
  using write = threads.start(file.fd);
  await using sync = startSync(file);
  const inThread: Promise<ArrayBuffer>[] = [];
  let size = 0;
  const append = async ({ slab, length }: Filled) => {
    const returned = await write.append(slab, length);
    sync.noteWritten(length);
    return returned;
  };
  try {
    for (let filled = first; ; filled = await fill(await nextSlab(inThread, lent))) {
      size += filled.length;
      inThread.push(awaitedLater(append(filled)));
      if (filled.last) break;
    }
    const [sha256] = await Promise.all([write.digest(), ...inThread]);
    await sync.end();
    return { size, sha256 };
  } finally {
    // The caller closes the descriptor next, and the system gives its number to another file.
    const ends = await Promise.allSettled(inThread);
    for (const end of ends) if (end.status === 'fulfilled') lent.giveBack(end.value);
  }
}

/** Slabs come back in the order in which they were sent. */
async function nextSlab(inThread: Promise<ArrayBuffer>[], lent: LentSlabs): Promise<ArrayBuffer> {
  const oldest = inThread.length < slabsPerWrite ? undefined : inThread.shift();
  return (await oldest) ?? lent.take();
}

/** A promise that rejects before it is awaited would end the process. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
