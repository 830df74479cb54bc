import type { FileHandle } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { ByteReader } from '../../lib/byte-reader.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import type { WrittenBytes } from './blobs.ts';
import { openWriteThreads } from './write-threads.ts';

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
        const next = (slab = (bytes === slabBytes ? spare.pop() : undefined) ?? new ArrayBuffer(bytes)) =>
          fillSlab(source, slab);
        const first = await next();
        return await store({
          place: first.isLast ? (tempPath, path) => place(tempPath, path, first) : null,
          writeTo: (file) => writeInThread(file, first, next),
        });
      } finally {
        writes -= 1;
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

type Filled = Awaited<ReturnType<typeof fillSlab>>;

async function fillSlab(source: ByteReader, slab: ArrayBuffer) {
  for (let length = 0; ;) {
    const count = await source.read(Buffer.from(slab, length));
    if (count === 0) return { slab, length, isLast: true };
    length += count;
    if (length === slab.byteLength) return { slab, length, isLast: false };
  }
}
