/** What systems leave in folders for themselves. */
const strays = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** Lets the person pick a folder; its files are handed over as one list. */
export function chooseFolder(onFiles: (files: readonly File[]) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.webkitdirectory = true;
  input.onchange = () => onFiles([...(input.files ?? [])].filter((file) => !strays.has(file.name)));
  input.click();
}
