import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Caller } from '../accounts/identify.ts';
import { changeAs } from '../accounts/lock-caller.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { findFiles } from './find-files.ts';

/** The transaction must hold a lock on the account's row: Continuous Uploading counts on the favorites meanwhile. */
export async function flipFavorite(
  tx: Transaction,
  accountId: string,
  name: string,
): Promise<{ name: string; is_favorite: boolean }> {
  const row = await tx
    .updateTable('files')
    .set((eb) => ({
      is_favorite: eb.case().when('is_favorite', '=', 0).then(eb.lit(1)).else(eb.lit(0)).end(),
    }))
    .where('name', '=', name)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .returning(['name', 'is_favorite'])
    .executeTakeFirst();
  if (!row) throw new Failure('FILE_NOT_FOUND');
  return { name: row.name, is_favorite: row.is_favorite === 1 };
}

/** Other names are ignored. */
export async function setFavorites(
  context: Pick<Context, 'db' | 'clock'>,
  caller: Caller,
  names: readonly string[],
  isFavorite: boolean,
): Promise<void> {
  const found = await findFiles(context, caller.account.id, names);
  if (found.size === 0) return;
  await changeAs(context, caller, (tx) =>
    tx
      .updateTable('files')
      .set({ is_favorite: isFavorite ? 1 : 0 })
      .where('id', 'in', [...found.values()])
      .where('deleted_at', 'is', null)
      .execute(),
  );
}
