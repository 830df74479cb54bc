/** What systems leave in folders for themselves. */
const strays = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** The files that a person means who drops or chooses a folder, in the order in which folders are shown. */
export function meantFiles(files: readonly File[]): readonly File[] {
  return files.filter(({ name }) => !strays.has(name)).toSorted((a, b) => order.compare(pathOf(a), pathOf(b)));
}

const order = new Intl.Collator('en', { numeric: true });

/** A dropped file carries its path too, under the name that the drop's reader gives it. */
const pathOf = (file: File): string =>
  'path' in file && typeof file.path === 'string' ? file.path : file.webkitRelativePath;
