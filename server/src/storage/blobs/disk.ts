import { randomUUID } from 'node:crypto';
import { constants, read, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { blobPath } from './blob-id.ts';
import { type BlobId, BlobMissing, type BlobReader, BlobsUnavailable, type BlobStore, StorageFull } from './blobs.ts';
import { listFolder } from './list-folder.ts';
import { type FileWriter, openFileWriter } from './write-file.ts';

const removedAtOnce = 16;
const serviceIdName = 'service-id';
const damagedName = 'damaged';

/**
 * A write goes to a temp file on the same filesystem and is renamed into place, and then the file and its folder are
 * synced at once; only then is it durable. A copy that `accept` judges is synced before, because a row may point at it.
 */
export async function openDiskBlobs(folder: string, writer: FileWriter = openFileWriter()): Promise<BlobStore> {
  const temp = join(folder, 'tmp');
  await mkdir(temp, { recursive: true });
  await refuseLink(temp);
  const pathOf = (id: BlobId) => join(folder, blobPath(id));
  const syncFolderOf = (id: BlobId) => syncFolder(dirname(pathOf(id)));
  const synced = new Set<string>();

  /** Another process may have made a folder and not synced its parent yet, so this one syncs it once itself. */
  const makeFolder = async (id: BlobId) => {
    const inner = dirname(pathOf(id));
    if (synced.has(inner)) return;
    await mkdir(inner, { recursive: true });
    await syncFolder(dirname(inner));
    await syncFolder(folder);
    synced.add(inner);
  };
  const withTempFile = async (name: string, text: string, use?: (path: string) => Promise<void>) => {
    const path = join(temp, `${name}.${randomUUID()}`);
    try {
      await writeSynced(path, text);
      await use?.(path);
    } finally {
      await rm(path, { force: true });
    }
  };
  const placeMark = (id: string, place: (from: string, to: string) => Promise<void>) =>
    withTempFile(serviceIdName, `${id}\n`, async (path) => {
      await place(path, join(folder, serviceIdName));
      await syncFolder(folder);
    });

  return {
    write: (id, source, accept) =>
      writer.write(source, ({ isWhole, place, writeTo }) =>
        translated(async () => {
          const tempPath = join(temp, `${id}.${randomUUID()}`);
          const path = pathOf(id);
          // A blob that nobody judges is new.
          let placed = isWhole && !accept;
          try {
            await makeFolder(id);
            if (placed) return await place(tempPath, path);
            await using file = await openNew(tempPath);
            const written = await writeTo(file);
            accept?.(written);
            if (accept) await file.sync();
            await rename(tempPath, path);
            placed = true;
            // A failed fsync is not tried again: the kernel may have dropped the pages.
            await Promise.all([file.sync(), syncFolderOf(id)]);
            return written;
          } catch (error) {
            await rm(tempPath, { force: true });
            if (placed) await rm(path, { force: true });
            throw error;
          }
        }),
      ),
    open: (id, start, end) => translated(() => openRange(pathOf(id), id, start, end), id),
    size: (id) => translated(async () => (await lstat(pathOf(id))).size, id),
    replace: (from, to) =>
      translated(async () => {
        // A blob that lost its bytes may have lost its folder too.
        synced.delete(dirname(pathOf(to)));
        await makeFolder(to);
        await rename(pathOf(from), pathOf(to));
        await syncFolderOf(to);
        await syncFolderOf(from);
      }, from),
    setAside: (id, version) =>
      translated(async () => {
        const aside = join(folder, damagedName);
        await mkdir(aside, { recursive: true });
        await syncFolder(folder);
        const path = join(aside, `${id}.${randomUUID()}`);
        if (versionOf(await lstat(pathOf(id))) !== version) return null;
        await rename(pathOf(id), path);
        await syncFolder(aside);
        await syncFolderOf(id);
        return path;
      }, id).catch((error: unknown) => {
        if (error instanceof BlobMissing) return null;
        throw error;
      }),
    async remove(...ids) {
      for (let from = 0; from < ids.length; from += removedAtOnce)
        await Promise.all(ids.slice(from, from + removedAtOnce).map((id) => rm(pathOf(id), { force: true })));
    },
    pathOf: blobPath,
    link: async () => null,
    list: (after) => listFolder(folder, after),
    sweepUnfinished: (before) => sweepTempFiles(temp, before),
    async space() {
      const { bavail, blocks, bsize } = await statfs(folder);
      return { free: bavail * bsize, total: blocks * bsize };
    },
    probe: () => translated(() => withTempFile('probe', 'probe')),
    serviceId: () => readServiceId(join(folder, serviceIdName)),
    async claimFor(id) {
      await translated(() => placeMark(id, placeNew));
      return (await readServiceId(join(folder, serviceIdName))) ?? id;
    },
    markService: (id) => translated(() => placeMark(id, rename)),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}

/** Places a file unless there is one. A filesystem without hard links, such as exFAT, cannot tell. */
async function placeNew(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: unknown) => {
    const code = codeOf(error);
    if (code === 'EEXIST') return;
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) return rename(from, to);
    throw error;
  });
}

async function sweepTempFiles(folder: string, before: number): Promise<number> {
  await refuseLink(folder);
  let swept = 0;
  for (const name of await readdir(folder)) {
    const facts = await lstat(join(folder, name)).catch(() => null);
    if (!facts || facts.mtimeMs >= before) continue;
    await rm(join(folder, name), { force: true, recursive: true });
    swept += 1;
  }
  return swept;
}

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

const openNew = (path: string): Promise<FileHandle> => open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);

async function writeSynced(path: string, text: string): Promise<void> {
  await using file = await openNew(path);
  await file.writeFile(text);
  await file.sync();
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
const versionOf = ({ ino, mtimeMs }: Stats): string => `${ino}-${mtimeMs}`;

/** A FileHandle's own read makes several times the garbage, on the hottest path. */
function readAt(fd: number, into: Uint8Array, length: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, into, 0, length, position, (error, bytesRead) => (error ? reject(error) : resolve(bytesRead)));
  });
}

async function readServiceId(path: string): Promise<string | null> {
  try {
    return (await readFile(path, { encoding: 'utf8', flag: O_RDONLY | O_NOFOLLOW })).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Throws errors of the port instead of those of the system; with an `id`, a missing file is a missing blob. */
async function translated<T>(work: () => Promise<T>, id?: BlobId): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (id !== undefined && code === 'ENOENT') throw new BlobMissing(id, error);
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new StorageFull(error);
    // The system gets it back as soon as other calls end.
    if (['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'].includes(code))
      throw new BlobsUnavailable('The system has too many open files or too little memory', error);
    throw error;
  }
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

/** Old files of a folder are deleted, and what is behind a link belongs to somebody else. */
async function refuseLink(folder: string): Promise<void> {
  if ((await lstat(folder)).isSymbolicLink()) throw new Error(`${folder} is a symbolic link, and must be a folder`);
}
