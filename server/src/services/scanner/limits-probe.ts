import { storedZip } from './stored-zip.ts';

/** clamd unpacks nested archives 17 deep by default, and 100 deep at most. */
const levels = 120;

/**
 * Returns a small archive that no scanner scans completely: a scanner that reports what it skips does not call it
 * clean.
 */
export function limitsProbe(): Buffer {
  let archive: Buffer = Buffer.from('Nothing is wrong with this.');
  for (let level = 0; level < levels; level += 1) archive = storedZip('a.zip', archive);
  return archive;
}
