import { sql } from 'kysely';
import { recordAction } from '../record-action.ts';
import type { BlobId } from '../../engines/blobs/blobs.ts';
import { lockRows } from '../../engines/database/lock-rows.ts';
import { days } from '../../lib/clock.ts';
import { purgeGrace } from '../../maintenance/jobs/purge.ts';
import { type Inspection, pageSize, type Suspicion } from './inspection.ts';
import { pagesById } from './pages.ts';

/** The purge runs every hour; a row that is still there a day later has been missed. */
const purgeComesWithin = days(1);

interface BlobRow {
  readonly id: BlobId;
  readonly used_by: number;
  readonly unused_since: number | null;
  readonly held_for: string | null;
  readonly uses: number;
}

/**
 * Checks that every blob has the right count of live files, records since when it has none, and is deleted when it is
 * due.
 */
export async function checkBlobs(inspection: Inspection): Promise<void> {
  for await (const page of pagesById(inspection.signal, keyOf, (after) => readPage(inspection, after))) {
    for (const blob of page) for (const found of faultsOf(inspection, blob)) await inspection.suspect(found);
    inspection.checked('blobs', page.length);
  }
}

const keyOf = ({ id }: BlobRow) => id;

/** One statement reads the stored count and counts again, so a concurrent upload makes no difference. */
const rows = ({ context: { db } }: Inspection) =>
  db
    .selectFrom('blobs')
    .select((eb) => [
      'id',
      'used_by',
      'unused_since',
      'held_for',
      eb
        .selectFrom('files')
        .select((inner) => inner.fn.countAll<number>().as('uses'))
        .whereRef('files.blob_id', '=', 'blobs.id')
        .where('files.deleted_at', 'is', null)
        .as('uses'),
    ])
    .$castTo<BlobRow>();

function readPage(inspection: Inspection, after: BlobId): Promise<BlobRow[]> {
  return rows(inspection).where('id', '>', after).orderBy('id').limit(pageSize).execute();
}

function faultsOf(inspection: Inspection, blob: BlobRow): Suspicion[] {
  const { id, used_by, uses, unused_since, held_for } = blob;
  const { context } = inspection;
  const again = (isFault: (row: BlobRow) => boolean) => async () => {
    const row = await rows(inspection).where('id', '=', id).executeTakeFirst();
    return row !== undefined && isFault(row);
  };
  const mend = () => mendBlob(inspection, blob);
  const overdue = (row: BlobRow) =>
    row.uses === 0 &&
    row.held_for === null &&
    row.unused_since !== null &&
    row.unused_since < context.clock.now() - purgeGrace - purgeComesWithin;
  if (isMiscounted(blob))
    return [
      {
        kind: 'wrong-count',
        subject: id,
        says: `The use count of blob ${id} is ${used_by}, but ${uses} files use it.`,
        again: again(isMiscounted),
        mend,
      },
    ];
  if (isMistimed(blob))
    return [
      {
        kind: 'wrong-unused-since',
        subject: id,
        says: `Blob ${id} is used by ${uses} files, but its unused_since is ${unused_since ?? 'not set'}.`,
        again: again(isMistimed),
        mend,
      },
    ];
  if (overdue(blob))
    return [
      {
        kind: 'not-purged',
        subject: id,
        says: `Blob ${id} is used by no file${held_for ?? ''} for longer than the purge needs: see 'holdfast jobs list'.`,
        again: again(overdue),
      },
    ];
  return [];
}

const isMiscounted = ({ used_by, uses }: BlobRow) => used_by !== uses;
const isMistimed = ({ uses, unused_since }: BlobRow) => (uses === 0) !== (unused_since !== null);

/** The statement that writes the count counts the files again. A blob found to be unused gets its day of grace. */
function mendBlob({ context, actor }: Inspection, { id, used_by, unused_since }: BlobRow): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    await lockRows(tx, tx.selectFrom('blobs').select('id').where('id', '=', id));
    const uses = sql`(SELECT count(*) FROM files WHERE files.blob_id = blobs.id AND files.deleted_at IS NULL)`;
    const { numAffectedRows } = await sql`
      UPDATE blobs SET
        used_by = ${uses},
        unused_since = CASE WHEN ${uses} = 0 THEN coalesce(unused_since, cast(${context.clock.now()} as bigint)) END
      WHERE id = ${id} AND (used_by <> ${uses} OR (unused_since IS NULL) = (${uses} = 0))`.execute(tx);
    if (Number(numAffectedRows) !== 1) return false;
    await recordAction({ ...context, db: tx }, actor, { subject: id, details: { blob: id, used_by, unused_since } });
    return true;
  });
}
