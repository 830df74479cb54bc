import { namesGivenTwice } from '../../engines/database/find-damage.ts';
import type { Inspection } from './inspection.ts';

/** A damaged index may let any number pass. */
const mostTold = 1000;

/**
 * No name has ever been given twice, deleted files included. The database sees to it by an index, so this reads and sorts
 * the rows without it. A row never loses its name, so nothing is looked at again.
 */
export async function checkNames({ context, signal, suspect }: Inspection): Promise<void> {
  signal.throwIfAborted();
  for (const { name, files } of await namesGivenTwice(context.db, mostTold))
    await suspect({
      kind: 'name-twice',
      subject: name,
      says: `${files} files have the name ${name}: the index of the names was damaged.`,
      again: async () => true,
    });
}
