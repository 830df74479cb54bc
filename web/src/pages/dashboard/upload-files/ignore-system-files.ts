/** Files that operating systems leave in folders. */
const systemFiles = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** The files that a user means by dropping or choosing a folder, in the order in which folders are displayed. */
export function ignoreSystemFiles(files: readonly File[]): readonly File[] {
  return files.filter(({ name }) => !systemFiles.has(name)).toSorted((a, b) => order.compare(pathOf(a), pathOf(b)));
}

const order = new Intl.Collator('en', { numeric: true });

/** A dropped file has a path too, in a property that the drop library sets. */
const pathOf = (file: File): string =>
  'path' in file && typeof file.path === 'string' ? file.path : file.webkitRelativePath;
