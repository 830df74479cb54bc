import type { DeletionPreview, PreviewedFile } from '@holdfast/contract/src/activity.ts';
import type { Context } from '../context.ts';
import type { Database, Transaction } from '../storage/db/database.ts';
import { timeText } from '../lib/clock.ts';
import { evictionOrder } from './evict.ts';

/** Length of the preview that a person reviews before switching on a rule that deletes files. */
const mostShown = 10;

/**
 * Returns the files that Continuous Uploading would evict first, in that order, and the number that it may evict in
 * all.
 */
export function evictionPreview({ db }: Context, accountId: string): Promise<DeletionPreview> {
  return deletionPreviewOf(db, (tx) => evictionOrder(tx, accountId));
}

/** Does the same for the files that another rule selects, in the order of their deletion. */
export function deletionPreviewOf(db: Database, select: (tx: Transaction) => FilesInOrder): Promise<DeletionPreview> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const rows = await select(tx).select(shown).limit(mostShown).execute();
      const { total } = await select(tx)
        .clearOrderBy()
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { files: rows.map(previewedFile), total };
    });
}

type FilesInOrder = ReturnType<typeof evictionOrder>;

const shown = ['name', 'original_name', 'size', 'uploaded_at'] as const;

interface ShownRow extends Pick<PreviewedFile, 'name' | 'original_name' | 'size'> {
  readonly uploaded_at: number;
}

const previewedFile = ({ uploaded_at, ...file }: ShownRow): PreviewedFile => ({
  ...file,
  time_added: timeText(uploaded_at),
});
