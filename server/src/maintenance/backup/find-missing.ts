import type { Context } from '../../context.ts';
import { type BlobId, BlobMissing } from '../../engines/blobs/blobs.ts';
import type { CopyOptions } from './copy-blobs.ts';

const rowsPerPage = 500;

/** Blobs of live files whose bytes are not in the storage, or not whole. */
export async function findMissing(
  { db, blobs }: Pick<Context, 'db' | 'blobs'>,
  { signal, onProgress }: CopyOptions,
): Promise<BlobId[]> {
  const missing: BlobId[] = [];
  let [seen, after] = [0, ''];
  for (;;) {
    const rows = await db
      .selectFrom('blobs')
      .select(['id', 'size'])
      .where('used_by', '>', 0)
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsPerPage)
      .execute();
    for (const { id, size } of rows) {
      signal.throwIfAborted();
      const found = await blobs.size(id as BlobId).catch((error: unknown) => {
        if (error instanceof BlobMissing) return null;
        throw error;
      });
      if (found !== size) missing.push(id as BlobId);
      onProgress?.((seen += 1));
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < rowsPerPage) return missing;
  }
}
