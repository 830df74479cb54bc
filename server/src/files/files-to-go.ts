import type { FileToGo } from '@holdfast/contract/src/activity.ts';
import type { Context } from '../context.ts';
import { timeText } from '../lib/clock.ts';
import { goingFirst } from './going-first.ts';

/** As many as a person looks at before Continuous Uploading is switched on. */
const mostShown = 10;

/** The first files that Continuous Uploading would delete, the very first one first, and how many it may delete at all. */
export async function filesToGo({ db }: Context, accountId: string): Promise<{ files: FileToGo[]; total: number }> {
  const rows = await goingFirst(db, accountId)
    .select(['name', 'original_name', 'size', 'uploaded_at'])
    .limit(mostShown)
    .execute();
  const { total } = await db
    .selectFrom('files')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('is_favorite', '=', 0)
    .executeTakeFirstOrThrow();
  return {
    files: rows.map(({ uploaded_at, ...file }) => ({ ...file, time_added: timeText(uploaded_at) })),
    total,
  };
}
