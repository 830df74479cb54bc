import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import { lockedRow } from '../storage/db/lock-rows.ts';

export async function flipFavorite(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  name: string,
): Promise<{ name: string; is_favorite: boolean }> {
  const row = await db
    .updateTable('files')
    .set((eb) => ({
      is_favorite: eb.case().when('is_favorite', '=', 0).then(eb.lit(1)).else(eb.lit(0)).end(),
    }))
    .where('name', '=', name)
    // Continuous Uploading counts on the favorites while it holds this lock.
    .where('account_id', '=', lockedRow(db, db.selectFrom('accounts').select('id').where('id', '=', accountId)))
    .where('deleted_at', 'is', null)
    .returning(['name', 'is_favorite'])
    .executeTakeFirst();
  if (!row) throw new Failure('FILE_NOT_FOUND');
  return { name: row.name, is_favorite: row.is_favorite === 1 };
}
