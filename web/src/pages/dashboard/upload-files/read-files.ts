/** Lists the files that a user means by dropping or choosing files and folders. */

/** Files that operating systems leave in folders. */
const systemFiles = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** A browser that is asked for thousands of files at once does nothing else for seconds. */
const readAtOnce = 50;

interface FoundFile {
  readonly file: File;
  readonly path: string;
}

export interface ReadFiles {
  readonly files: readonly File[];
  /** Names of the files and folders that the browser may not read. */
  readonly unreadable: readonly string[];
}

type Dropped = FileSystemEntry | File;

/**
 * The dropped files and those in dropped folders. Must be called during the event, because the browser empties the
 * transfer afterwards.
 */
export function droppedFiles({ items }: DataTransfer, onProgress: (found: number) => void): Promise<ReadFiles> {
  const dropped = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  return readFiles(
    dropped.filter((each) => each !== null),
    onProgress,
  );
}

/** Reads dropped files and folders, or the files of an input that chooses a folder. */
export async function readFiles(dropped: readonly Dropped[], onProgress: (found: number) => void): Promise<ReadFiles> {
  const found: FoundFile[] = [];
  const unreadable: string[] = [];
  const read = async (each: Dropped): Promise<readonly FileSystemEntry[]> => {
    if (each instanceof File) found.push({ file: each, path: each.webkitRelativePath || each.name });
    else if (isFileEntry(each)) found.push({ file: await fileOf(each), path: each.fullPath });
    else if (isFolder(each)) return entriesOf(each);
    return [];
  };
  let left = dropped;
  while (left.length > 0) {
    const now = left.slice(0, readAtOnce);
    const inside = await Promise.all(
      now.map((each) =>
        read(each).catch(() => {
          unreadable.push(each.name);
          return [];
        }),
      ),
    );
    left = left.slice(readAtOnce).concat(inside.flat());
    onProgress(found.length);
    // Yields, so that the progress is drawn and user input is handled.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { files: meantFiles(found), unreadable };
}

// Chrome has no global names for these two classes.
const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    // Each call returns the next entries, in Chrome 100 at most, and none after the last one.
    const next = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (next.length === 0) return entries;
    entries.push(...next);
  }
}

/** Without what operating systems leave in folders, and in the order in which folders are displayed. */
const meantFiles = (found: readonly FoundFile[]): readonly File[] =>
  found
    .filter(({ file }) => !systemFiles.has(file.name))
    .toSorted((a, b) => order.compare(a.path, b.path))
    .map(({ file }) => file);

const order = new Intl.Collator('en', { numeric: true });
