import type { Context } from '../context.ts';
import type { BlobMemory } from '../storage/blobs/blob-memory.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';
import type { Transaction } from '../storage/db/database.ts';

/**
 * Runs a transaction that removes files, and then makes the memory cache forget the blobs that `work` has added to
 * `removed`. It does so after a failure too, because the outcome of a commit may be unknown, and while the database is
 * away a link would be served from memory.
 */
export async function forgetRemoved<T>(
  { db }: Pick<Context, 'db'>,
  memory: BlobMemory,
  work: (tx: Transaction, removed: Set<BlobId>) => Promise<T>,
): Promise<T> {
  const removed = new Set<BlobId>();
  try {
    return await db.transaction().execute((tx) => work(tx, removed));
  } finally {
    if (removed.size > 0) memory.forget(removed);
  }
}
