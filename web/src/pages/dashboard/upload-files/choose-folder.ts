import { meantFiles } from './meant-files.ts';

/** Lets the person pick a folder; its files are handed over as one list. */
export function chooseFolder(onFiles: (files: readonly File[]) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.webkitdirectory = true;
  input.onchange = () => onFiles(meantFiles([...(input.files ?? [])]));
  input.click();
}
