import { openStoredChoice } from '../../../lib/store.ts';

/** Whether photos lose their location before they are added. */
export const locationChoice = openStoredChoice('location', ['keep', 'remove']);

/** What the rows say about the location in added files. */
export const locationNotes = new WeakMap<File, string>();

/** Most users never need it. */
const removing = () => import('./remove-location.ts');

/** The file as it is uploaded, read one after another so that only one photo is in memory. */
export async function asUploaded(files: readonly File[]): Promise<readonly File[]> {
  if (locationChoice.read() === 'keep') return files;
  const { removeLocation } = await removing();
  const ready: File[] = [];
  for (const each of files) {
    const { file, note } = await removeLocation(each);
    if (note !== undefined) locationNotes.set(file, note);
    ready.push(file);
  }
  return ready;
}
