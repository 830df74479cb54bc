import type { Context } from '../../context.ts';
import type { BlobId } from '../../engines/blobs/blobs.ts';

export interface NeededBlob {
  readonly id: BlobId;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

const rowsPerPage = 500;

/** The blobs that live files use and those that are held, in the order of their ids. */
export async function* neededBlobs(db: Context['db']): AsyncGenerator<NeededBlob> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('blobs')
      .select(['id', 'size', 'sha256'])
      .where((eb) => eb.or([eb('used_by', '>', 0), eb('held_for', 'is not', null)]))
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsPerPage)
      .execute();
    for (const row of rows) yield { ...row, id: row.id as BlobId };
    after = rows.at(-1)?.id ?? '';
    if (rows.length < rowsPerPage) return;
  }
}
