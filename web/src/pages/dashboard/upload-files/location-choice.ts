import { openStoredChoice } from '../../../lib/store.ts';
import { rowTexts } from './queue-texts.ts';

/** Whether photos lose their location before they are added. */
export const locationChoice = openStoredChoice('location', ['keep', 'remove']);

/** What the rows say about the location in added files. */
export const locationNotes = new WeakMap<File, string>();

/** Most users never need it. */
const removing = () => import('./remove-location.ts');

/** The file as it is uploaded, read one after another so that only one photo is in memory. */
export async function asUploaded(files: readonly File[]): Promise<readonly File[]> {
  if (locationChoice.read() === 'keep') return files;
  // It may not load: the page is offline, or older than the server.
  const remove = await removing().then(
    ({ removeLocation }) => removeLocation,
    () => notChecked,
  );
  const ready: File[] = [];
  for (const each of files) {
    const { file, note } = await remove(each);
    if (note !== undefined) locationNotes.set(file, note);
    ready.push(file);
  }
  return ready;
}

const notChecked = async (file: File) => ({ file, note: rowTexts.locationUnchecked });
