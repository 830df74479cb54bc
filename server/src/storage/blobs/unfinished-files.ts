import { randomUUID } from 'node:crypto';
import { type FileHandle, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteReader } from '../../lib/byte-reader.ts';
import { type BlobId, BlobMissing, type Unfinished, type UnfinishedBlobs, type WrittenBytes } from './blobs.ts';
import { codeOf, translated } from './disk-errors.ts';
import type { FileWriter } from './write-file.ts';
import type { ThreadStream } from './write-threads.ts';

/** A file that this process alone writes, hashed as far as it is written. */
interface Growing extends AsyncDisposable {
  readonly path: string;
  readonly place: string;
  readonly file: FileHandle;
  readonly stream: ThreadStream;
  size: number;
}

interface Disk {
  readonly writer: FileWriter;
  /** Of unfinished files. */
  readonly folder: string;
  readonly openNew: (path: string) => Promise<FileHandle>;
  readonly openRead: (path: string) => Promise<FileHandle>;
  readonly syncFolder: (path: string) => Promise<void>;
  readonly blobPathOf: (id: BlobId) => string;
  /** Moves a synced file there, durably. */
  readonly placeBlob: (path: string, id: BlobId) => Promise<void>;
}

/** Each has an open file and a hash. One that was closed is copied before it grows again. */
const mostOpen = 100;

/**
 * No file is written by two processes: one that goes on with what another has begun, or with its own from before a
 * restart, copies the bytes that count, and hashes them meanwhile.
 */
export function openUnfinishedFiles(disk: Disk): UnfinishedBlobs & AsyncDisposable {
  const { writer, folder, openNew, openRead, syncFolder, blobPathOf, placeBlob } = disk;
  const growing = new Map<BlobId, Growing>();
  const pathOf = (id: BlobId, place: string) => join(folder, `${id}.${place}`);

  async function begin(id: BlobId): Promise<Growing> {
    const place = randomUUID();
    const path = pathOf(id, place);
    const file = await openNew(path);
    const stream = writer.stream(file);
    const close = async () => {
      stream[Symbol.dispose]();
      await file.close();
    };
    return { path, place, file, stream, size: 0, [Symbol.asyncDispose]: close };
  }

  async function take({ id, place, size }: Unfinished): Promise<Growing> {
    const known = growing.get(id);
    growing.delete(id);
    if (known?.place === place && known.size === size) return known;
    await known?.[Symbol.asyncDispose]();
    const file = await begin(id);
    try {
      if (size > 0) await copyTo(file, id, place, size);
      await syncFolder(folder);
      return file;
    } catch (error) {
      await drop(file);
      throw error;
    }
  }

  async function drop(file: Growing): Promise<void> {
    await file[Symbol.asyncDispose]();
    await rm(file.path, { force: true });
  }

  const openBytes = (id: BlobId, path: string) =>
    openRead(path).catch((error: unknown) => {
      throw codeOf(error) === 'ENOENT' ? new BlobMissing(id, error) : error;
    });

  async function copyTo(file: Growing, id: BlobId, place: string, size: number): Promise<void> {
    await using before = await openBytes(id, pathOf(id, place));
    const copied = await writer.append(file, firstBytes(before, size), async () => {});
    if (copied.failure) throw copied.failure.error;
    if (copied.size !== size) throw new BlobMissing(id);
    file.size = size;
  }

  async function keep(id: BlobId, file: Growing): Promise<void> {
    growing.set(id, file);
    const [oldest] = growing;
    if (growing.size <= mostOpen || !oldest) return;
    growing.delete(oldest[0]);
    await oldest[1][Symbol.asyncDispose]();
  }

  async function hashBlob(id: BlobId, total: number): Promise<WrittenBytes> {
    await using file = await openBytes(id, blobPathOf(id));
    const written = await writer.hash(firstBytes(file, total + 1));
    if (written.size !== total) throw new BlobMissing(id);
    return written;
  }

  return {
    begin: async () => '',
    append: (unfinished, source, onStored) =>
      translated(async () => {
        const { id, place, total } = unfinished;
        const file = await take(unfinished);
        let isKept = file.place === place;
        const note = async (size: number) => {
          if (!(await onStored({ id, place: file.place, size, total })) || isKept) return;
          await rm(pathOf(id, place), { force: true });
          isKept = true;
        };
        let failure: { readonly error: unknown } | undefined;
        try {
          const appended = await writer.append(file, source, note);
          ({ failure } = appended);
          if (appended.size > unfinished.size) await note(appended.size);
          file.size = appended.size;
        } catch (error) {
          if (!isKept) await rm(file.path, { force: true });
          // What the file has beyond the last state is not known.
          await file[Symbol.asyncDispose]();
          throw error;
        }
        if (!isKept && (failure || file.size === unfinished.size)) await drop(file);
        else await keep(id, file);
        if (failure) throw failure.error;
      }),
    finish: (unfinished) =>
      translated(async () => {
        const { id, place, total } = unfinished;
        try {
          await using file = await take(unfinished);
          const { sha256 } = await file.stream.digests();
          await placeBlob(file.path, id);
          if (file.place !== place) await rm(pathOf(id, place), { force: true });
          return { size: total, sha256 };
        } catch (error) {
          if (!(error instanceof BlobMissing) && codeOf(error) !== 'ENOENT') throw error;
          // It was placed before, perhaps by another process.
          return await hashBlob(id, total);
        }
      }),
    discard: ({ id, place }) =>
      translated(async () => {
        const known = growing.get(id);
        growing.delete(id);
        await known?.[Symbol.asyncDispose]();
        for (const each of new Set([place, known?.place ?? place])) await rm(pathOf(id, each), { force: true });
      }),
    async [Symbol.asyncDispose]() {
      await Promise.all([...growing.values()].map((file) => file[Symbol.asyncDispose]()));
      growing.clear();
    },
  };
}

function firstBytes(file: FileHandle, size: number): ByteReader {
  let position = 0;
  return {
    async read(into) {
      const { bytesRead } = await file.read(into, 0, Math.min(into.length, size - position), position);
      position += bytesRead;
      return bytesRead;
    },
  };
}
