import { randomUUID } from 'node:crypto';
import { constants, read, type Stats, statSync } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../lib/message-of.ts';
import {
  type BlobId,
  BlobMissing,
  type BlobReader,
  BlobsNotRemoved,
  BlobsUnavailable,
  type BlobStore,
  BlobUnreadable,
} from './blobs.ts';
import { codeOf, readError, translated, unless } from './disk-errors.ts';
import { listBlobs } from './list-disk.ts';
import { openUnfinishedFiles } from './unfinished-files.ts';
import { type FileWriter, openFileWriter } from './write-file.ts';

/** A disk may be far away. */
const atOnce = 32;
/** The mark of a storage. */
export const serviceIdName = 'service-id';

export const blobPath = (id: BlobId): string => `${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`;

/** One writes for all storages of the process: starting a thread takes 45 ms of CPU. */
let shared: FileWriter | undefined;

/** Durable once file and folder are synced. What `accept` judges is synced before it takes its place. */
export async function openDiskBlobs(
  folder: string,
  writer: FileWriter = (shared ??= openFileWriter()),
): Promise<BlobStore> {
  const temp = join(folder, 'tmp');
  await mkdir(temp, { recursive: true });
  await refuseLink(temp);
  const mark = join(folder, serviceIdName);
  const pathOf = (id: BlobId) => join(folder, blobPath(id));
  const syncFolderOf = (id: BlobId) => syncFolder(dirname(pathOf(id)));
  const synced = new Set<string>();

  const aside = join(folder, 'damaged');
  const putAside = async (path: string) => {
    if (path === aside) throw new Error(`${aside} must be a folder`);
    await makeFolder(aside);
    const place = join(aside, `${basename(path)}.${randomUUID()}`);
    await rename(path, place);
    await syncFolder(aside);
    await syncFolder(dirname(path));
    return place;
  };
  /** Another process may have made it and not synced its parent yet. A damaged filesystem may have something else there. */
  const makeFolder = async (path: string) => {
    if (synced.has(path) || path === folder) return;
    await makeFolder(dirname(path));
    if (!(await isMade(path))) {
      await putAside(path);
      await isMade(path);
    }
    await syncFolder(dirname(path));
    synced.add(path);
  };
  const makeFolderOf = (path: string) => makeFolder(dirname(path));
  const forgetFoldersOf = (path: string) => {
    for (let inner = dirname(path); inner.length > folder.length; inner = dirname(inner)) synced.delete(inner);
  };
  /** Somebody may have removed a folder that was empty. */
  const inFolderOf = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error;
      forgetFoldersOf(path);
      await makeFolderOf(path);
      return await work();
    }
  };
  const withTempFile = async (name: string, text: string, use?: (path: string) => Promise<void>) => {
    const path = join(temp, `${name}.${randomUUID()}`);
    try {
      await using file = await inFolderOf(path, () => openNew(path));
      await file.writeFile(text);
      await file.sync();
      await use?.(path);
    } finally {
      // What failed before says more.
      await rm(path, { force: true }).catch(() => {});
    }
  };
  const placeMark = (id: string, place: (from: string, to: string) => Promise<void>) =>
    withTempFile(serviceIdName, `${id}\n`, async (path) => {
      await place(path, mark);
      await syncFolder(folder);
    });

  const unfinished = openUnfinishedFiles({
    writer,
    folder: temp,
    openNew: (path) => inFolderOf(path, () => openNew(path)),
    openRead: (path) => open(path, O_RDONLY | O_NOFOLLOW),
    syncFolder,
    blobPathOf: pathOf,
    async placeBlob(path, id) {
      await makeFolderOf(pathOf(id));
      await inFolderOf(pathOf(id), () => rename(path, pathOf(id)));
      await syncFolderOf(id);
    },
  });

  const writing = new Set<Promise<unknown>>();
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    writing.add(work);
    return work.finally(() => writing.delete(work));
  };

  return {
    write: (id, source, accept) =>
      tracked(
        writer.write(source, ({ place, writeTo }) =>
          translated(async () => {
            const tempPath = join(temp, `${id}.${randomUUID()}`);
            const path = pathOf(id);
            // Without `accept`, nothing can be at its path yet.
            let placed = place !== null && !accept;
            try {
              await makeFolderOf(path);
              if (place && !accept) return await place(tempPath, path);
              await using file = await inFolderOf(tempPath, () => openNew(tempPath));
              const written = await writeTo(file);
              accept?.(written);
              if (accept) await file.sync();
              await inFolderOf(path, () => rename(tempPath, path));
              placed = true;
              // A failed fsync is not tried again: the kernel may have dropped the pages.
              await Promise.all([file.sync(), syncFolderOf(id)]);
              return written;
            } catch (error) {
              forgetFoldersOf(path);
              await rm(tempPath, { force: true });
              if (placed) await rm(path, { force: true });
              throw error;
            }
          }),
        ),
      ),
    open: (id, start, end) => reading(mark, id, () => openRange(pathOf(id), id, start, end)),
    size: (id) => reading(mark, id, () => sizeOf(pathOf(id))),
    replace: (from, to) =>
      translated(async () => {
        const facts = await lstat(pathOf(to)).catch(() => null);
        if (facts?.isDirectory()) await putAside(pathOf(to));
        await inFolderOf(pathOf(to), () => rename(pathOf(from), pathOf(to))).catch((error: unknown) => {
          throw codeOf(error) === 'ENOENT' ? new BlobMissing(from, error) : error;
        });
        await syncFolderOf(to);
        await syncFolderOf(from);
      }),
    setAside: (id, version) =>
      translated(async () => {
        const facts = await lstat(pathOf(id)).catch(unless(['ENOENT'], null));
        return !facts || versionOf(facts) !== version ? null : putAside(pathOf(id));
      }),
    async remove(...ids) {
      const failed = new Map<BlobId, unknown>();
      const removeOne = (id: BlobId) =>
        unlink(pathOf(id)).catch((error: unknown) => {
          if (codeOf(error) !== 'ENOENT') failed.set(id, error);
        });
      for (let from = 0; from < ids.length; from += atOnce)
        await Promise.all(ids.slice(from, from + atOnce).map(removeOne));
      if (failed.size > 0) throw new BlobsNotRemoved(failed);
    },
    pathOf: blobPath,
    link: async () => null,
    linkForCache: async () => null,
    list: (after, onUnreadable) => listBlobs({ folder, pathOf }, after, onUnreadable),
    unfinished,
    sweepUnfinished: (before, isKept) => sweepTempFiles(temp, before, isKept),
    space: () =>
      translated(async () => {
        const { bavail, blocks, bsize } = await statfs(folder).catch(unlessGone(folder));
        return { free: bavail * bsize, total: blocks * bsize };
      }),
    probe: () => translated(() => withTempFile('probe', 'probe')),
    serviceId: () => readServiceId(mark),
    markVersion() {
      const facts = factsNow(mark);
      return facts && `${facts.dev}-${versionOf(facts)}`;
    },
    holds: (id, size) => factsNow(pathOf(id))?.size === size,
    async claimFor(id) {
      // A mark that lost its text says nothing.
      const place = (await readServiceId(mark)) === null && factsNow(mark) ? rename : placeNew;
      await translated(() => placeMark(id, place));
      return (await readServiceId(mark)) ?? id;
    },
    markService: (id) => translated(() => placeMark(id, rename)),
    /** Nothing is written afterwards. */
    async [Symbol.asyncDispose]() {
      await unfinished[Symbol.asyncDispose]();
      await Promise.allSettled(writing);
    },
  };
}

/** Places a file unless there is one. A filesystem without hard links, such as exFAT, cannot tell. */
async function placeNew(from: string, to: string): Promise<void> {
  const placed = link(from, to).then(() => true, unless(['EEXIST'], true));
  const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];
  if (!(await placed.catch(unless(noLinks, false)))) await rename(from, to);
}

async function sweepTempFiles(folder: string, before: number, isKept = async (_id: BlobId) => false): Promise<number> {
  await refuseLink(folder);
  let swept = 0;
  const failures: unknown[] = [];
  for (const name of await readdir(folder).catch(unless(['ENOENT'], []))) {
    const facts = await lstat(join(folder, name)).catch(() => null);
    if (!facts || facts.mtimeMs >= before || (await isKept(name.split('.', 1)[0] as BlobId))) continue;
    try {
      await rm(join(folder, name), { force: true, recursive: true });
      swept += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return swept;
}

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

const openNew = (path: string): Promise<FileHandle> => open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);

/** Returns whether there is a folder now. A recursive `mkdir` would hide why it fails. */
async function isMade(path: string): Promise<boolean> {
  const isNew = await mkdir(path)
    .then(() => true, unless(['EEXIST'], false))
    .catch(unlessGone(dirname(path)));
  return isNew || (await stat(path)).isDirectory();
}

const unlessGone = (folder: string) => (error: unknown) => {
  if (codeOf(error) !== 'ENOENT') throw error;
  throw new BlobsUnavailable(`The storage is not there: ${folder} is missing`, error);
};

async function sizeOf(path: string): Promise<number> {
  const facts = await lstat(path);
  if (facts.isDirectory()) throw new Error('a folder is in its place');
  return facts.size;
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, O_RDONLY | O_DIRECTORY);
  await folder.sync();
}

async function openRange(path: string, id: BlobId, start: number, end: number): Promise<BlobReader> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW);
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
        const bytesRead = await readAt(file.fd, into, length, position, id);
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

/** An inode may be reused, but not by a file with the same modification time. */
const versionOf = ({ ino, mtimeMs }: Stats): string => `${ino}-${mtimeMs}`;

/** A FileHandle makes several times the garbage, on the hottest path. */
function readAt(fd: number, into: Uint8Array, length: number, position: number, id: BlobId): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, into, 0, length, position, (error, bytesRead) =>
      error ? reject(readError(id, error)) : resolve(bytesRead),
    );
  });
}

function factsNow(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

async function readServiceId(path: string): Promise<string | null> {
  const found = readFile(path, { encoding: 'utf8', flag: O_RDONLY | O_NOFOLLOW }).catch(unless(['ENOENT'], null));
  const text = await found.catch((error: unknown) => {
    throw new BlobsUnavailable(`The storage cannot be read: ${messageOf(error)}`, error);
  });
  return text?.trim() || null;
}

/** Bytes are not lost if the mark of the storage cannot be read either. */
async function reading<T>(mark: string, id: BlobId, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const known = readError(id, error);
    if (known instanceof BlobUnreadable) await readServiceId(mark);
    throw known;
  }
}

/** Old files of a folder are deleted. */
async function refuseLink(folder: string): Promise<void> {
  const facts = await lstat(folder).catch(unless(['ENOENT'], null));
  if (facts?.isSymbolicLink()) throw new Error(`${folder} is a symbolic link, and must be a folder`);
}
