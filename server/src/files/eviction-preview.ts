import type { DeletionPreview, PreviewedFile } from '@holdfast/contract/src/activity.ts';
import type { Context } from '../context.ts';
import { timeText } from '../lib/clock.ts';
import { evictionOrder } from './eviction-order.ts';

/** Length of the preview that a person reviews before switching on a rule that deletes files. */
const mostShown = 10;

/**
 * Returns the files that Continuous Uploading would evict first, in that order, and the number that it may evict in
 * all.
 */
export async function evictionPreview({ db }: Context, accountId: string): Promise<DeletionPreview> {
  const rows = await evictionOrder(db, accountId).select(shown).limit(mostShown).execute();
  const { total } = await db
    .selectFrom('files')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('is_favorite', '=', 0)
    .executeTakeFirstOrThrow();
  return { files: rows.map(previewedFile), total };
}

/** Does the same for files that another rule selected; `ids` lists all of them in the order of their deletion. */
export async function deletionPreviewOf({ db }: Pick<Context, 'db'>, ids: readonly string[]): Promise<DeletionPreview> {
  if (ids.length === 0) return { files: [], total: 0 };
  const rows = await db
    .selectFrom('files')
    .select(shown)
    .where('id', 'in', ids.slice(0, mostShown))
    .orderBy('uploaded_at')
    .orderBy('id')
    .execute();
  return { files: rows.map(previewedFile), total: ids.length };
}

const shown = ['name', 'original_name', 'size', 'uploaded_at'] as const;

interface ShownRow extends Pick<PreviewedFile, 'name' | 'original_name' | 'size'> {
  readonly uploaded_at: number;
}

const previewedFile = ({ uploaded_at, ...file }: ShownRow): PreviewedFile => ({
  ...file,
  time_added: timeText(uploaded_at),
});
