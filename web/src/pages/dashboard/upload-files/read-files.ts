/** Lists the files that a user means by dropping or choosing files and folders. */

/** Files that operating systems leave in folders. */
const systemFiles = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

interface FoundFile {
  readonly file: File;
  readonly path: string;
}

/** The files of an input that chooses a folder. */
export const chosenFiles = (files: Iterable<File>): readonly File[] =>
  meantFiles([...files].map((file) => ({ file, path: file.webkitRelativePath })));

/**
 * The dropped files and those in dropped folders. Must be called during the event, because the browser empties the
 * transfer afterwards. Rejects if the browser cannot read one of them.
 */
export async function droppedFiles({ items }: DataTransfer): Promise<readonly File[]> {
  const dropped = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  return meantFiles((await Promise.all(dropped.map(filesOf))).flat());
}

async function filesOf(dropped: FileSystemEntry | File | null): Promise<readonly FoundFile[]> {
  if (dropped === null) return [];
  if (dropped instanceof File) return [{ file: dropped, path: dropped.name }];
  if (isFileEntry(dropped)) {
    const file = await new Promise<File>((resolve, reject) => dropped.file(resolve, reject));
    return [{ file, path: dropped.fullPath }];
  }
  if (isFolder(dropped)) return (await Promise.all((await entriesOf(dropped)).map(filesOf))).flat();
  return [];
}

// Chrome has no global names for these two classes.
const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

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
