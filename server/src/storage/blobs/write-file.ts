import type { FileHandle } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { ByteReader } from '../../lib/byte-reader.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import type { WrittenBytes } from './blobs.ts';
import { type Filled, fillSlab } from './fill-slab.ts';
import { openWriteThreads, type ThreadStream } from './write-threads.ts';

export const slabBytes = 1024 * 1024;
const slabBytesInNeed = 32 * 1024;
const largeWrites = 8;
const syncEveryBytes = 16 * 1024 * 1024;

export type FileWriter = ReturnType<typeof openFileWriter>;

export function openFileWriter(program?: URL) {
  const threads = openWriteThreads(availableParallelism(), program);
  // Whole files do not wait behind the slabs of large ones.
  const placers = openWriteThreads(1, program);
  const syncInTurn = createSemaphore(2);
  const spare: ArrayBuffer[] = [];
  let writes = 0;

  const newSlab = (bytes: number) => (bytes === slabBytes ? spare.pop() : undefined) ?? new ArrayBuffer(bytes);
  const giveBack = (slab: ArrayBuffer) => {
    if (slab.byteLength === slabBytes && spare.length < 2 * largeWrites) spare.push(slab);
  };

  async function writeInThread(file: FileHandle, first: Filled, next: (slab?: ArrayBuffer) => Promise<Filled>) {
    using stream = threads.stream({ fd: file.fd });
    let [size, synced] = [0, 0];
    let append: Promise<ArrayBuffer> | undefined;
    // A failed sync is not tried again: the kernel may have dropped the pages.
    let sync = Promise.resolve();
    try {
      for (let filled = first; ;) {
        const appendBefore = append;
        append = stream.append(filled.slab, filled.length).then(({ slab }) => slab);
        append.catch(() => {});
        size += filled.length;
        const slab = await appendBefore;
        if (filled.isLast) break;
        // The last sync shall have little left to do.
        if (size - synced >= syncEveryBytes) {
          synced = size;
          sync = sync.then(() => syncInTurn(() => file.datasync()));
          sync.catch(() => {});
        }
        filled = await next(slab);
      }
      const { sha256 } = await stream.digests();
      await Promise.all([append, sync]);
      return { size, sha256 };
    } finally {
      // The caller closes the descriptor next, and its number becomes another file.
      await Promise.allSettled([append?.then(giveBack), sync]);
    }
  }

  async function place(tempPath: string, path: string, { slab, length }: Filled): Promise<WrittenBytes> {
    const placed = await placers.place({ tempPath, path }, slab, length);
    giveBack(placed.slab);
    return { size: length, sha256: placed.sha256 };
  }

  return {
    async write<T>(source: ByteReader, store: (begun: BegunWrite) => Promise<T>): Promise<T> {
      writes += 1;
      try {
        const bytes = writes > largeWrites ? slabBytesInNeed : slabBytes;
        const next = async (slab = newSlab(bytes)) => {
          const filled = await fillSlab(source, slab);
          if (filled.failure) throw filled.failure.error;
          return filled;
        };
        const first = await next();
        return await store({
          place: first.isLast ? (tempPath, path) => place(tempPath, path, first) : null,
          writeTo: (file) => writeInThread(file, first, next),
        });
      } finally {
        writes -= 1;
      }
    },
    /** Writes and hashes from the start of a file on. */
    stream: ({ fd }: FileHandle): ThreadStream => threads.stream({ fd }),
    async hash(source: ByteReader): Promise<WrittenBytes> {
      using stream = threads.stream({});
      for (let size = 0; ;) {
        const { slab, length, isLast, failure } = await fillSlab(source, newSlab(slabBytes));
        if (failure) throw failure.error;
        size += length;
        giveBack((await stream.append(slab, length)).slab);
        if (isLast) return { size, sha256: (await stream.digests()).sha256 };
      }
    },
    /** Keeps what a source brings before it fails. What `onStored` gets is synced, and so is all in the end. */
    async append(
      {
        stream,
        file,
        size: before,
      }: { readonly stream: ThreadStream; readonly file: FileHandle; readonly size: number },
      source: ByteReader,
      onStored: (size: number) => Promise<void>,
    ): Promise<{ readonly size: number; readonly failure: Filled['failure'] }> {
      let [size, synced] = [before, before];
      let written: Promise<unknown> = Promise.resolve();
      let stored = Promise.resolve();
      const store = async (appended: Promise<unknown>, upTo: number) => {
        await appended;
        await syncInTurn(() => file.datasync());
        await onStored(upTo);
      };
      try {
        for (;;) {
          const filled = await fillSlab(source, newSlab(slabBytes));
          size += filled.length;
          const appendedBefore = written;
          written = stream.append(filled.slab, filled.length).then(({ slab }) => giveBack(slab));
          written.catch(() => {});
          await appendedBefore;
          if (filled.isLast) {
            await Promise.all([written, stored]);
            await file.datasync();
            return { size, failure: filled.failure };
          }
          if (size - synced < syncEveryBytes) continue;
          synced = size;
          const [appended, upTo] = [written, size];
          stored = stored.then(() => store(appended, upTo));
          stored.catch(() => {});
        }
      } finally {
        await Promise.allSettled([written, stored]);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([threads[Symbol.asyncDispose](), placers[Symbol.asyncDispose]()]);
    },
  };
}

interface BegunWrite {
  /** Null unless the source ends within one slab. If it fails, either path may exist. */
  readonly place: ((tempPath: string, path: string) => Promise<WrittenBytes>) | null;
  readonly writeTo: (file: FileHandle) => Promise<WrittenBytes>;
}
