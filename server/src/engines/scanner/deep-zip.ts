import { storedZip } from './stored-zip.ts';

/** clamd follows archives in archives 17 deep by default, and 100 at most. */
const levels = 120;

/** A small archive that no scanner looks at whole: one that tells of what it skips does not call it clean. */
export function deeperThanAnyLimit(): Buffer {
  let archive: Buffer = Buffer.from('Nothing is wrong with this.');
  for (let level = 0; level < levels; level += 1) archive = storedZip('a.zip', archive);
  return archive;
}
