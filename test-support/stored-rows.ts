import type { Context } from '@holdfast/server/src/context.ts';
import type { BlobId } from '@holdfast/server/src/storage/blobs/blobs.ts';
import { newRowId } from '@holdfast/server/src/lib/row-id.ts';
import { randomText } from '@holdfast/server/src/lib/random-text.ts';
import { searchTextOf } from '@holdfast/server/src/lib/search-text.ts';
import type { TestClock } from './test-clock.ts';

export interface StoredRow {
  /** Size that the rows state; no bytes are stored. */
  readonly size?: number;
  readonly favorite?: boolean;
  /** Files of one digest share a blob. */
  readonly sha256?: string;
}

/**
 * Inserts rows of files without any bytes, the first one the oldest, one second apart, and returns the names. For tests
 * of the effects of large or many files.
 */
export async function storeRows(
  server: { readonly context: Pick<Context, 'db'>; readonly clock: TestClock },
  { email }: { readonly email: string },
  rows: readonly StoredRow[],
): Promise<string[]> {
  const { db } = server.context;
  // Ids of the same millisecond have no defined order.
  const start = server.clock.now() + 1_000;
  server.clock.advance((rows.length + 1) * 1_000);
  const files = rows.map(({ size = 1, favorite = false, sha256 = randomText(64) }, at) => {
    const now = start + at * 1_000;
    const name = randomText(8);
    return { id: newRowId(now), now, name, size, favorite, sha256, blobId: newRowId(now) as BlobId };
  });
  await db.transaction().execute(async (tx) => {
    const { id: accountId } = await tx
      .updateTable('accounts')
      .set((eb) => ({
        space_used: eb(
          'space_used',
          '+',
          files.reduce((sum, { size }) => sum + size, 0),
        ),
        slots_used: eb('slots_used', '+', files.length),
      }))
      .where('email', '=', email)
      .returning('id')
      .executeTakeFirstOrThrow();
    for (let from = 0; from < files.length; from += 500) {
      const batch = files.slice(from, from + 500);
      const blobs = Map.groupBy(batch, ({ sha256 }) => sha256);
      const kept = await tx
        .insertInto('blobs')
        .values(
          [...blobs].map(([sha256, sharers]) => ({
            id: sharers[0]?.blobId ?? ('' as BlobId),
            sha256,
            size: sharers[0]?.size ?? 0,
            used_by: sharers.length,
            unused_since: null,
            created_at: start,
          })),
        )
        .onConflict((conflict) =>
          conflict.column('sha256').doUpdateSet((eb) => ({
            used_by: eb('blobs.used_by', '+', eb.ref('excluded.used_by')),
            unused_since: null,
          })),
        )
        .returning(['id', 'sha256'])
        .execute();
      const blobOf = new Map(kept.map(({ id, sha256 }) => [sha256, id]));
      await tx
        .insertInto('files')
        .values(
          batch.map(({ id, name, size, sha256, favorite, now }) => ({
            id,
            account_id: accountId,
            name,
            original_name: `${name}.txt`,
            search_text: searchTextOf(name, `${name}.txt`),
            extension: 'txt',
            size,
            sha256,
            blob_id: blobOf.get(sha256) ?? ('' as BlobId),
            is_favorite: favorite ? (1 as const) : (0 as const),
            uploaded_at: now,
          })),
        )
        .execute();
    }
  });
  return files.map(({ name }) => name);
}
