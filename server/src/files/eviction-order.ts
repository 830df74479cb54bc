import type { Transaction } from '../engines/database/database.ts';

/**
 * Selects the live files of an account that Continuous Uploading may evict, oldest first. The id of each upload is
 * later than those of the account's other files, so the index by favorite has them in this order.
 */
export function evictionOrder(db: Pick<Transaction, 'selectFrom'>, accountId: string) {
  return db
    .selectFrom('files')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('is_favorite', '=', 0)
    .orderBy('id');
}
