import { Failure } from '@holdfast/contract/src/errors.ts';
import type { FilePage } from '@holdfast/contract/src/file-page.ts';
import { preferredDomain } from '../accounts/settings.ts';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import { dayOf, readHitDays } from '../delivery/hit-days.ts';
import { describe } from './list.ts';
import { listColumns } from './search.ts';

export async function getFile(context: Context, { account }: Caller, name: string): Promise<FilePage> {
  const { db, clock } = context;
  const row = await db
    .selectFrom('files')
    .select(['id', ...listColumns])
    .where('name', '=', name)
    .where('account_id', '=', account.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw new Failure('FILE_NOT_FOUND');
  const { id, ...listed } = row;
  return {
    file: describe(listed),
    hits_by_day: await readHitDays(db, { id, hits: row.hits }, dayOf(clock.now())),
    show_file_extensions: account.return_file_extension === 1,
    preferred_domain: preferredDomain(context, account),
  };
}
