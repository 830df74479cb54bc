import { tusPath, unfinishedFor } from '@holdfast/contract/src/resumable.ts';
import type { UnfinishedUpload } from '@holdfast/contract/src/unfinished-uploads.ts';
import type { Context } from '../../context.ts';
import { timeText } from '../../lib/clock.ts';

/** The newest first. */
export async function listUnfinished({ db, clock }: Context, accountId: string): Promise<UnfinishedUpload[]> {
  const rows = await db
    .selectFrom('uploads')
    .select(['id', 'original_name', 'size', 'stored', 'modified_at', 'fingerprint', 'changed_at'])
    .where('account_id', '=', accountId)
    .where('file_name', 'is', null)
    .where('changed_at', '>=', clock.now() - unfinishedFor)
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map(({ id, modified_at: modified, changed_at: changed, ...row }) => ({
    ...row,
    path: `${tusPath}/${id}`,
    modified: modified === null ? null : timeText(modified),
    expires: timeText(changed + unfinishedFor),
  }));
}
