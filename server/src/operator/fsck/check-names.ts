import { namesGivenTwice } from '../../engines/database/find-damage.ts';
import type { Inspection } from './inspection.ts';

/** Limits the reported names, because a damaged index may let any number of duplicates pass. */
const mostTold = 1000;

/**
 * Checks that no name was ever given twice, deleted files included. An index of the database enforces this, so the
 * check reads and sorts the rows without it. A row never loses its name, so findings need no second look.
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
