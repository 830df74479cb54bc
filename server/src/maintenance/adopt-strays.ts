/** Bytes without a row get one, as a blob that no file uses: the purge deletes them a day later. */
import type { Context } from '../context.ts';
import type { StoredBlob } from '../engines/blobs/blobs.ts';

export type Stray = Pick<StoredBlob, 'id' | 'size'>;

/** The digest must be unique and match no upload, so it holds a text that is not a digest. */
export async function adoptStrays(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  strays: readonly Stray[],
): Promise<void> {
  const now = clock.now();
  await db
    .insertInto('blobs')
    .values(
      strays.map(({ id, size }) => ({
        id,
        sha256: `stray ${id}`,
        size,
        used_by: 0,
        unused_since: now,
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
