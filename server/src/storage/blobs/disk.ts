import { randomUUID } from 'node:crypto';
import { closeSync, constants, fsync, read, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { refuseLink } from '../../lib/refuse-link.ts';
import { blobPath, firstBlobs } from './blob-id.ts';
import { listFolder } from './list-folder.ts';
import { type BegunWrite, type FileWriter, openFileWriter } from './write-file.ts';
import {
  type BlobId,
  BlobMissing,
  type BlobReader,
  BlobsUnavailable,
  type BlobStore,
  StorageFull,
  type WrittenBytes,
} from './blobs.ts';

const sweepEveryMs = 60 * 60 * 1000;
/** Uploads without progress are ended long before: an older temp file was left by a process that died. */
const abandonedAfterMs = 24 * sweepEveryMs;

/** Removals that the disk works on side by side. */
const removedAtOnce = 16;

/** Names that no blob folder has. */
const serviceIdName = 'service-id';
const damagedName = 'damaged';

interface DiskOptions {
  readonly sweepsItself?: boolean;
  /** Another one, for tests. */
  readonly writer?: FileWriter;
  /** Milliseconds until the folders are made. */
  readonly prepareAfterMs?: number;
}

/**
 * Stores blobs as files in `folder`, two levels deep by the first characters of their id. A write goes to a temp file
 * on the same filesystem and is renamed into place, and then the file and its folder are synced at once; only then is it
 * durable. A copy that `accept` judges is synced before it takes its place, because a row may point at it already.
 */
export async function openDiskBlobs(
  folder: string,
  { sweepsItself = true, writer = openFileWriter(), prepareAfterMs = 30_000 }: DiskOptions = {},
): Promise<BlobStore> {
  const temp = join(folder, 'tmp');
  const pathOf = (id: BlobId) => join(folder, blobPath(id));
  const folderOf = (id: BlobId) => dirname(pathOf(id));
  const known = new Set<string>();
  const markPath = join(folder, serviceIdName);
  await mkdir(temp, { recursive: true });
  await refuseLink(temp);
  const sweepQuietly = () => sweepTempFiles(temp, false).catch(() => 0);
  // The start does not wait for it, however many files killed processes have left.
  let swept: Promise<unknown> = sweepsItself ? sweepQuietly() : Promise.resolve();
  const preparing = sweepsItself ? prepareFolders(folder, known, prepareAfterMs) : undefined;
  const placeMark = async (id: string, place: (from: string, to: string) => Promise<void>): Promise<void> => {
    const tempPath = join(temp, `${serviceIdName}.${randomUUID()}`);
    try {
      await writeSynced(tempPath, `${id}\n`);
      await place(tempPath, markPath);
      await syncFolder(folder);
    } catch (error) {
      throw asStorageError(error);
    } finally {
      await rm(tempPath, { force: true });
    }
  };
  const sweeping = sweepsItself ? setInterval(() => void (swept = sweepQuietly()), sweepEveryMs).unref() : undefined;

  return {
    async write(id, source, accept) {
      using begun = await writer.begin(source);
      // Every try to copy a blob uses its id, and a killed process may have left its temp file.
      const tempPath = join(temp, `${id}.${randomUUID()}`);
      // A blob that nobody judges is new.
      let placed = begun.isWhole && !accept;
      try {
        await makeFolder(folder, id, known);
        if (placed) return await sync(await begun.place({ tempPath, path: pathOf(id), folder: folderOf(id) }));
        await using file = await openNew(tempPath);
        const written = await begun.writeTo(file);
        accept?.(written);
        if (accept) await file.sync();
        await rename(tempPath, pathOf(id));
        placed = true;
        // An fsync error means that the kernel may have dropped the pages, so the upload fails and fsync is not retried.
        await Promise.all([file.sync(), syncFolder(folderOf(id))]);
        return written;
      } catch (error) {
        await rm(tempPath, { force: true });
        if (placed) await rm(pathOf(id), { force: true });
        throw asStorageError(error);
      }
    },
    open: (id, start, end) => openRange(pathOf(id), id, start, end),
    size: (id) => sizeOf(pathOf(id), id),
    async replace(from, to) {
      try {
        // A blob that lost its bytes may have lost its folder too.
        known.delete(folderOf(to));
        await makeFolder(folder, to, known);
        await rename(pathOf(from), pathOf(to)).catch((error: unknown) => {
          throw asMissing(error, from);
        });
        await syncFolder(folderOf(to));
        await syncFolder(folderOf(from));
      } catch (error) {
        throw asStorageError(error);
      }
    },
    async setAside(id, version) {
      const aside = join(folder, damagedName);
      try {
        await mkdir(aside, { recursive: true });
        await syncFolder(folder);
        // The same blob may be damaged more than once.
        const path = join(aside, `${id}.${randomUUID()}`);
        if (versionOf(await lstat(pathOf(id))) !== version) return null;
        await rename(pathOf(id), path);
        await syncFolder(aside);
        await syncFolder(folderOf(id));
        return path;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return null;
        throw asStorageError(error);
      }
    },
    async remove(...ids) {
      for (let from = 0; from < ids.length; from += removedAtOnce)
        await Promise.all(ids.slice(from, from + removedAtOnce).map((id) => rm(pathOf(id), { force: true })));
    },
    pathOf: blobPath,
    link: async () => null,
    list: (after) => listFolder(folder, after),
    sweepUnfinished: ({ dryRun }) => sweepTempFiles(temp, dryRun),
    async space() {
      const { bavail, blocks, bsize } = await statfs(folder);
      return { free: bavail * bsize, total: blocks * bsize };
    },
    async probe() {
      const tempPath = join(temp, `probe.${randomUUID()}`);
      try {
        await writeSynced(tempPath, 'probe');
      } catch (error) {
        throw asStorageError(error);
      } finally {
        await rm(tempPath, { force: true });
      }
    },
    serviceId: () => readServiceId(markPath),
    async claimFor(id) {
      await placeMark(id, placeNew);
      return (await readServiceId(markPath)) ?? id;
    },
    markService: (id) => placeMark(id, rename),
    async [Symbol.asyncDispose]() {
      clearInterval(sweeping);
      await preparing?.[Symbol.asyncDispose]();
      await swept;
      await writer[Symbol.asyncDispose]();
    },
  };
}

/** A link leaves a file that is there as it is, and a rename replaces it. Some filesystems have no links. */
async function placeNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code === 'EEXIST') return;
    if (!linkless.has(code)) throw error;
    await rename(from, to);
  }
}

const linkless: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Returns how many there were. */
async function sweepTempFiles(folder: string, dryRun: boolean): Promise<number> {
  await refuseLink(folder);
  let abandoned = 0;
  for (const name of await readdir(folder)) {
    const facts = await lstat(join(folder, name)).catch(() => null);
    if (!facts || Date.now() - facts.mtimeMs < abandonedAfterMs) continue;
    if (!dryRun) await rm(join(folder, name), { force: true, recursive: true });
    abandoned += 1;
  }
  return abandoned;
}

function openNew(path: string): Promise<FileHandle> {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  return open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
}

/** Syncs and closes a file and its folder. */
async function sync({ fd, folderFd, ...written }: Awaited<ReturnType<BegunWrite['place']>>): Promise<WrittenBytes> {
  try {
    for (const synced of await Promise.allSettled([syncDescriptor(fd), syncDescriptor(folderFd)]))
      if (synced.status === 'rejected') throw synced.reason;
    return written;
  } finally {
    // Nothing is left to be written, so it takes microseconds.
    for (const descriptor of [fd, folderFd]) closeSync(descriptor);
  }
}

const syncDescriptor = promisify(fsync);

async function writeSynced(path: string, text: string): Promise<void> {
  await using file = await openNew(path);
  await file.writeFile(text);
  await file.sync();
}

/**
 * A new folder is an entry in its parent, which must be synced as well. Another write may have created it without
 * having synced it yet, so this process syncs it once itself, even if another process created it.
 */
async function makeFolder(root: string, id: BlobId, known: Set<string>): Promise<void> {
  const outer = join(root, id.slice(0, 2));
  const inner = join(outer, id.slice(2, 4));
  if (known.has(inner)) return;
  await mkdir(inner, { recursive: true });
  await syncFolder(outer);
  await syncFolder(root);
  known.add(inner);
}

/**
 * Makes and syncs the folders of all new blobs, one after the other, so that no upload has to. It begins when the start of
 * the process is long over, because it syncs 512 times. If it fails, uploads make the rest.
 */
function prepareFolders(root: string, known: Set<string>, afterMs: number): AsyncDisposable {
  let isStopped = false;
  let prepared: Promise<unknown> = Promise.resolve();
  const prepare = async () => {
    for (const id of firstBlobs()) if (!isStopped) await makeFolder(root, id, known);
  };
  const timer = setTimeout(() => (prepared = prepare().catch(() => {})), afterMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      isStopped = true;
      clearTimeout(timer);
      await prepared;
    },
  };
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  await folder.sync();
}

async function openRange(path: string, id: BlobId, start: number, end: number): Promise<BlobReader> {
  const file = await openToRead(path, id);
  try {
    const facts = await file.stat();
    let position = start;
    return {
      size: facts.size,
      get version() {
        return versionOf(facts);
      },
      async read(into) {
        const length = Math.min(into.length, end - position + 1);
        if (length <= 0) return 0;
        const bytesRead = await readAt(file.fd, into, length, position);
        if (bytesRead === 0) throw new BlobMissing(id);
        position += bytesRead;
        return bytesRead;
      },
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Each write creates a new file. An inode may be reused, but not by a file with the same modification time. */
function versionOf({ ino, mtimeMs }: Stats): string {
  return `${ino}-${mtimeMs}`;
}

/** The callback form creates a fraction of the garbage of a FileHandle's own read, on the hottest path. */
function readAt(fd: number, into: Uint8Array, length: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, into, 0, length, position, (error, bytesRead) => (error ? reject(error) : resolve(bytesRead)));
  });
}

async function sizeOf(path: string, id: BlobId): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch (error) {
    throw asMissing(error, id);
  }
}

async function openToRead(path: string, id: BlobId): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    throw asStorageError(asMissing(error, id));
  }
}

function asMissing(error: unknown, id: BlobId): unknown {
  return errorCode(error) === 'ENOENT' ? new BlobMissing(id, error) : error;
}

async function readServiceId(path: string): Promise<string | null> {
  try {
    return (await readFile(path, { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NOFOLLOW })).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The system is short of something that it gets back as soon as other calls end. */
const passing: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

function asStorageError(error: unknown): unknown {
  const code = errorCode(error) ?? '';
  if (passing.has(code)) return new BlobsUnavailable('The system has too many open files or too little memory', error);
  return ['ENOSPC', 'EDQUOT'].includes(code) ? new StorageFull(error) : error;
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
