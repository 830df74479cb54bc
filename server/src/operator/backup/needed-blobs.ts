import { sql, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import { beforeAllBlobs } from '../../engines/blobs/blob-id.ts';
import type { BlobId } from '../../engines/blobs/blobs.ts';

export interface NeededBlob {
  readonly id: BlobId;
  /** In bytes. */
  readonly size: number;
  readonly sha256: string;
}

const rowsPerPage = 500;

/**
 * A blob is needed if a live file uses it, something holds it, or a withheld file waits for free space in its account.
 */
export const isNeeded = sql<SqlBool>`(
  blobs.used_by > 0 OR blobs.held_for IS NOT NULL OR
  EXISTS (SELECT 1 FROM files WHERE files.blob_id = blobs.id AND files.deleted_because IN ('malware', 'takedown'))
)`;

/** The blobs whose bytes belong in a backup, in the order of their ids. */
export async function* neededBlobs(db: Context['db']): AsyncGenerator<NeededBlob> {
  for (let after = beforeAllBlobs; ;) {
    const rows = await db
      .selectFrom('blobs')
      .select(['id', 'size', 'sha256'])
      .where(isNeeded)
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsPerPage)
      .execute();
    yield* rows;
    after = rows.at(-1)?.id ?? beforeAllBlobs;
    if (rows.length < rowsPerPage) return;
  }
}
